// Tile shapes of the sample-rank merge, per size of key and value, as data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

struct MergeTuning {
  unsigned threads;                    ///< per block
  unsigned items;                      ///< items of a tile per thread; odd, to spread over the banks of shared memory
  unsigned stride;                     ///< items between samples
  unsigned blocks_per_multiprocessor;  ///< blocks that the compiler must leave registers for

  SORTIE_HD constexpr unsigned tile_capacity() const { return threads * items; }
  /// Samples between two tile limits. A tile with g samples holds at most g + 1 strides.
  SORTIE_HD constexpr unsigned group() const { return tile_capacity() / stride - 1; }
  /// The mean number of items of a tile.
  SORTIE_HD constexpr unsigned tile_items() const { return group() * stride; }
};

/// Each shape was the fastest of a dozen on an H200, merging two halves of 2^28 uniform items; the numbers are
/// Gitems/s (tools/bench/RESULTS-kernels.md). The shapes for keys of 4 bytes were all within 2%; the one chosen is no
/// slower than CUB's merge on Zipf-distributed, few-valued and sorted keys. Shared memory of a block must stay within
/// 48 KB. value_bytes is 0 for keys alone.
SORTIE_HD constexpr MergeTuning merge_tuning(std::size_t key_bytes, std::size_t value_bytes) {
  if (value_bytes == 0) {
    if (key_bytes == 4) return {512, 23, 256, 4};  // 473
    return {256, 17, 64, 4};                       // 242
  }
  if (key_bytes + value_bytes == 8) return {256, 17, 64, 4};   // as much shared memory as the last; not measured
  if (key_bytes + value_bytes == 12) return {256, 15, 64, 3};  // u64 + u32: 162
  return {256, 11, 64, 3};                                     // not measured
}

/// Tuning for pairs whose ties are broken by their records. The comparison takes more registers. Not measured.
inline constexpr MergeTuning kRecordMergeTuning{256, 9, 64, 3};

inline constexpr unsigned kSmallestMergeTile =
    std::min(kRecordMergeTuning.tile_items(), merge_tuning(8, 8).tile_items());

}  // namespace sortie::kernels
