// Tile shapes of the radix sort, per size of key and value, as data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// Large tiles fill the shared memory of large GPUs; small ones suit GPUs whose blocks get only 48 KB.
enum class RadixShape { kLarge, kSmall };

struct RadixTuning {
  unsigned threads;                    ///< per block of the pass kernel: at least one per bin
  unsigned items;                      ///< items of a tile per thread
  unsigned blocks_per_multiprocessor;  ///< blocks that the compiler must leave registers for

  SORTIE_HD constexpr unsigned tile_items() const { return threads * items; }
};

/// Each shape was the fastest of some five on an H200, 2^28 uniform items (tools/bench/RESULTS-kernels.md). Tiles grow
/// until registers spill: the longer a tile's part of a bin, the fewer sectors are written in part. 32 or 36 keys of 4
/// bytes per thread are as fast as 30, but reversed keys then meet in the same banks.
constexpr RadixTuning radix_tuning(RadixShape shape, std::size_t key_bytes, std::size_t value_bytes) {
  if (shape == RadixShape::kSmall) return {256, 8, 2};          // not measured
  if (key_bytes == 4 && value_bytes == 8) return {384, 18, 2};  // with 20 items, registers spill
  if (key_bytes == 4) return value_bytes == 0 ? RadixTuning{384, 30, 2} : RadixTuning{384, 26, 2};
  if (value_bytes == 0) return {384, 20, 2};
  return value_bytes == 4 ? RadixTuning{384, 18, 2} : RadixTuning{384, 16, 2};
}

/// The tuning as a type, because nvcc takes no values of class type as template arguments of kernels.
template <RadixShape kShape, std::size_t kKeyBytes, std::size_t kValueBytes>
struct RadixTile {
  static constexpr RadixTuning kTuning = radix_tuning(kShape, kKeyBytes, kValueBytes);
  using Packed = RadixTile<kShape, kKeyBytes / 2, kValueBytes>;  ///< for keys packed into half of their bytes
};

inline constexpr unsigned kSmallestRadixTile = 256 * 8;

/// Long sorts nearly always need this many passes: 2^28 uniform keys take four. An empty launch of a further pass took
/// 20 us of 8 ms with one block per tile, and 3 us with persistent blocks; those make a pass some 6% slower.
inline constexpr unsigned kUsualPasses = 4;

/// Shape of the kernel that reads all keys for the histograms: one block fills a multiprocessor.
inline constexpr unsigned kHistogramThreads = 1024;
inline constexpr unsigned kHistogramColumns = 16;  ///< when it counts eight digits; twice as many for four

/// Shape of the kernel that reads the sorted keys for disorder that the passes left.
inline constexpr unsigned kRepairBlocks = 5;  ///< per multiprocessor

/// Shape of the kernels that sample the keys, and of those that copy the result home.
inline constexpr unsigned kRadixStreamThreads = 512;
inline constexpr unsigned kRadixStreamBlocks = 4;  ///< per multiprocessor

}  // namespace sortie::kernels
