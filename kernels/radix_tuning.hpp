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

/// Not swept yet.
constexpr RadixTuning radix_tuning(RadixShape shape, std::size_t key_bytes, std::size_t value_bytes) {
  if (shape == RadixShape::kSmall) return {256, 8, 2};
  if (key_bytes == 4 && value_bytes == 0) return {384, 24, 2};
  if (key_bytes == 4) return {384, 18, 2};
  if (value_bytes == 0) return {384, 17, 2};
  if (value_bytes == 4) return {384, 15, 2};
  return {384, 12, 2};
}

inline constexpr unsigned kSmallestRadixTile = 256 * 8;

/// Of the kernels that read all keys for the histograms, and that copy the result home.
inline constexpr unsigned kRadixStreamThreads = 512;
inline constexpr unsigned kRadixStreamBlocks = 4;  ///< per multiprocessor

}  // namespace sortie::kernels
