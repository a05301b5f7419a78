// Tile shapes of the radix sort, per size of key and value, as data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// Tiles that fill the shared memory of large GPUs, and tiles for GPUs whose blocks get 48 KB alone.
enum class RadixShape { kLarge, kSmall };

struct RadixTuning {
  unsigned threads;                    ///< of a block of the pass kernel: at least one per bin
  unsigned items;                      ///< of a tile, per thread
  unsigned blocks_per_multiprocessor;  ///< that the compiler must leave registers for

  SORTIE_HD constexpr unsigned tile_items() const { return threads * items; }
};

/// The fastest of ten or so shapes each on an H200, 2^28 uniform items (tools/bench/RESULTS.md). In Gitems/s:
constexpr RadixTuning radix_tuning(RadixShape shape, std::size_t key_bytes, std::size_t value_bytes) {
  if (shape == RadixShape::kSmall) return {256, 8, 2};                          // not measured
  if (key_bytes == 4 && value_bytes == 0) return {256, 28, 3};                  // 43.3
  if (key_bytes == 4) return {384, 22, 2};                                      // 34.3
  if (value_bytes == 0) return {384, 17, 2};                                    // 16.6
  return value_bytes == 4 ? RadixTuning{384, 16, 2} : RadixTuning{384, 13, 2};  // 12.8, 10.3
}

inline constexpr unsigned kSmallestRadixTile = 256 * 8;

/// Of the kernels that read all keys for the histograms, and that copy the result home.
inline constexpr unsigned kRadixStreamThreads = 512;
inline constexpr unsigned kRadixStreamBlocks = 4;  ///< per multiprocessor

}  // namespace sortie::kernels
