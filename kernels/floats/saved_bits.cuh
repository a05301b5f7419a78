// The bits that floats of several bit patterns had, zeros and NaNs, in the order of the input. A tile's block knows how
// many of each lie before it from sums over the tiles.
#pragma once

#include <cstdint>

#include "base/size.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/common/warp_sums.cuh"
#include "kernels/floats/float_format.hpp"

namespace sortie::kernels {

inline constexpr unsigned kFloatThreads = 256;
inline constexpr unsigned kFloatItems = 16;
inline constexpr unsigned kFloatTile = kFloatThreads * kFloatItems;

inline std::uint64_t float_tiles(std::uint64_t count) { return divide_up(count, kFloatTile); }

/// What a tile holds, side by side in a word: zeros, NaNs, and whether some have other bits than their value's.
struct TileFloats {
  static constexpr unsigned kBits = 13;
  static_assert(kFloatTile < 1U << kBits);
  static constexpr std::uint32_t kZero = 1;
  static constexpr std::uint32_t kNan = 1U << kBits;
  static constexpr std::uint32_t kOther = 1U << (2 * kBits);

  std::uint32_t word = 0;

  __host__ __device__ std::uint32_t zeros() const { return word % kNan; }
  __host__ __device__ std::uint32_t nans() const { return word / kNan % kNan; }
  __host__ __device__ bool has_others() const { return word >= kOther; }
  __host__ __device__ bool is_empty() const { return word == 0; }
};

/// Where bits are saved: zeros from the front on, NaNs from the back on.
struct SavedBits {
  SavedBits(unsigned key_bytes, std::uint64_t count, void* area = nullptr) : layout(area) {
    needed = layout.take<std::uint32_t>(1);
    tiles = layout.take<TileFloats>(float_tiles(count));
    zeros_before = layout.take<std::uint64_t>(float_tiles(count));
    nans_before = layout.take<std::uint64_t>(float_tiles(count));
    bits = layout.take<std::byte>(count * key_bytes);
  }

  ScratchLayout layout;
  std::uint32_t* needed;  ///< 0 if all keys have the bits of their value: then nothing is saved, nor put back
  TileFloats* tiles;
  std::uint64_t* zeros_before;
  std::uint64_t* nans_before;
  std::byte* bits;
};

/// The sum over all threads of a block, in all of them; and over those before the thread.
struct BlockSums {
  std::uint32_t before;
  std::uint32_t total;
};

__device__ inline BlockSums block_sums(std::uint32_t value) {
  constexpr unsigned kWarps = kFloatThreads / 32;
  __shared__ std::uint32_t warp_totals[kWarps];
  const std::uint32_t inclusive = warp_inclusive_sum(value);
  __syncthreads();  // a call before this one may still read
  if (threadIdx.x % 32 == 31) warp_totals[threadIdx.x / 32] = inclusive;
  __syncthreads();
  BlockSums sums{inclusive - value, 0};
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    if (warp < threadIdx.x / 32) sums.before += warp_totals[warp];
    sums.total += warp_totals[warp];
  }
  return sums;
}

/// One block's tile of the keys.
template <class Bits>
struct FloatTile {
  FloatValues<Bits> values;
  Bits* keys;
  std::uint64_t count;
  Bits* saved;

  /// Of the tile's keys, as if `has_others` were counted once a tile.
  __device__ TileFloats floats(std::uint64_t tile) const {
    std::uint32_t found = 0;
    bool has_others = false;
#pragma unroll
    for (unsigned k = 0; k < kFloatItems; ++k) {
      const std::uint64_t i = tile * kFloatTile + k * kFloatThreads + threadIdx.x;
      if (i >= count) continue;
      const Bits bits = keys[i];
      if (values.is_nan(bits)) found += TileFloats::kNan;
      if (values.is_zero(bits)) found += TileFloats::kZero;
      has_others |= values.canonical(bits) != bits;
    }
    const bool block_has_others = __syncthreads_or(has_others ? 1 : 0) != 0;
    return {block_sums(found).total + (block_has_others ? TileFloats::kOther : 0)};
  }

  /// Calls move(key, its saved bits) for each zero and NaN. A thread takes neighbouring keys, in their order.
  template <class Move>
  __device__ void for_each(std::uint64_t tile, std::uint64_t zeros_before, std::uint64_t nans_before,
                           const Move& move) const {
    const std::uint64_t begin = tile * kFloatTile + threadIdx.x * kFloatItems;
    TileFloats found;
    for (unsigned k = 0; k < kFloatItems && begin + k < count; ++k) {
      if (values.is_nan(keys[begin + k])) found.word += TileFloats::kNan;
      if (values.is_zero(keys[begin + k])) found.word += TileFloats::kZero;
    }
    const TileFloats before{block_sums(found.word).before};
    std::uint64_t zero = zeros_before + before.zeros();
    std::uint64_t nan = nans_before + before.nans();
    for (unsigned k = 0; k < kFloatItems && begin + k < count; ++k) {
      Bits& key = keys[begin + k];
      if (values.is_nan(key)) {
        move(key, saved[count - 1 - nan++]);
      } else if (values.is_zero(key)) {
        move(key, saved[zero++]);
      }
    }
  }

  __device__ void save(std::uint64_t tile, std::uint64_t zeros_before, std::uint64_t nans_before) const {
    for_each(tile, zeros_before, nans_before, [&](Bits& key, Bits& bits) {
      bits = key;
      key = values.canonical(key);
    });
  }

  __device__ void put_back(std::uint64_t tile, std::uint64_t zeros_before, std::uint64_t nans_before) const {
    for_each(tile, zeros_before, nans_before, [](Bits& key, const Bits& bits) { key = bits; });
  }
};

}  // namespace sortie::kernels
