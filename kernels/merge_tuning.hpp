// Tile shapes of the sample-rank merge, per size of key and value, as data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

struct MergeTuning {
  unsigned threads;                    ///< of a block
  unsigned items;                      ///< of a tile, per thread; odd, to spread over the banks of shared memory
  unsigned stride;                     ///< between samples
  unsigned blocks_per_multiprocessor;  ///< that the compiler must leave registers for

  SORTIE_HD constexpr unsigned tile_capacity() const { return threads * items; }
  /// Samples from one tile limit to the next. A tile with g samples holds at most g + 1 strides.
  SORTIE_HD constexpr unsigned group() const { return tile_capacity() / stride - 1; }
  /// Items of a tile, on average.
  SORTIE_HD constexpr unsigned tile_items() const { return group() * stride; }
};

/// What is merged: keys alone, pairs, or pairs whose ties are broken by their records.
enum class MergeKind { kKeys, kPairs, kTiedPairs };

/// The fastest of a dozen shapes each on an H200, merging two halves of 2^28 uniform items, in Gitems/s
/// (tools/bench/RESULTS.md). Shared memory of a block must stay within 48 KB.
SORTIE_HD constexpr MergeTuning merge_tuning(MergeKind kind, std::size_t key_bytes) {
  if (kind == MergeKind::kPairs) return {256, 15, 64, 3};     // 162
  if (kind == MergeKind::kTiedPairs) return {256, 9, 64, 3};  // not measured: more registers for the comparison
  if (key_bytes == 4) return {512, 19, 256, 4};               // 474
  return {256, 17, 64, 4};                                    // 242
}

inline constexpr unsigned kSmallestMergeTile = merge_tuning(MergeKind::kTiedPairs, 8).tile_items();

}  // namespace sortie::kernels
