// One item of each row of equal keys, in one pass: a block compares the keys of a tile with their neighbours, finds the
// place of what it keeps by decoupled look-back, and writes it side by side. The keys of its next tile are on their way
// meanwhile.
#pragma once

#include <cstdint>

#include <cub/block/block_scan.cuh>

#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/value_copy.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

inline constexpr unsigned kDistinctThreads = 512;
inline constexpr unsigned kDistinctBlocks = 2;  ///< per multiprocessor

/// A thread looks at so many items in a row: as many as a block has the registers and, with 48 KB, the memory for.
template <class Bits>
inline constexpr unsigned kDistinctItems = sizeof(Bits) < 4    ? 16
                                           : sizeof(Bits) == 4 ? 12
                                                               : 8;
template <class Bits>
inline constexpr std::uint64_t kDistinctTile = std::uint64_t{kDistinctThreads} * kDistinctItems<Bits>;
/// That of the longest keys.
inline constexpr std::uint64_t kSmallestDistinctTile = kDistinctTile<std::uint64_t>;

template <class Bits>
struct DistinctCall {
  ListItems<Bits> items;
  KeptItems<Bits> out;
  ValueCopy copy_value;
  bool keeps_last;
  std::uint64_t tile_count;
  ScanState scan;  ///< not used for a single tile
};

/// A thread's keys of a tile, and their neighbour in front of the first one, or behind the last.
template <class Bits>
struct DistinctKeys {
  Bits keys[kDistinctItems<Bits>];
  Bits neighbour;
  unsigned there;  ///< how many keys there are

  /// Called by whole warps.
  __device__ void load(const DistinctCall<Bits>& call, std::uint64_t first) {
    constexpr unsigned kItems = kDistinctItems<Bits>;
    const std::uint64_t count = call.items.count;
    const Bits* const from = call.items.keys + first;
    there = first >= count ? 0 : count - first < kItems ? static_cast<unsigned>(count - first) : kItems;
    if (there == kItems && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
      uint4 vectors[kItems * sizeof(Bits) / 16];
#pragma unroll
      for (unsigned k = 0; k < kItems * sizeof(Bits) / 16; ++k) vectors[k] = reinterpret_cast<const uint4*>(from)[k];
      memcpy(keys, vectors, sizeof keys);
    } else {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        if (k < there) keys[k] = from[k];
      }
    }
    neighbour = 0;
    if (call.keeps_last) {
      if (there == kItems && first + kItems < count) neighbour = from[kItems];
    } else if (there != 0 && first != 0) {
      neighbour = from[-1];
    }
  }

  /// Which of the keys are kept, a bit for each.
  __device__ unsigned kept(const DistinctCall<Bits>& call, std::uint64_t first) const {
    constexpr unsigned kItems = kDistinctItems<Bits>;
    unsigned differs = 0;  ///< bit k: key k differs from the one before it
#pragma unroll
    for (unsigned k = 1; k < kItems; ++k) differs |= static_cast<unsigned>(keys[k] != keys[k - 1]) << k;
    if (there == 0) return 0;
    const unsigned all = (1U << there) - 1;
    if (!call.keeps_last) return (differs | static_cast<unsigned>(first == 0 || keys[0] != neighbour)) & all;
    const bool ends = first + there == call.items.count || keys[kItems - 1] != neighbour;
    return (differs & all) >> 1 | static_cast<unsigned>(ends) << (there - 1);
  }
};

using DistinctScan = cub::BlockScan<unsigned, kDistinctThreads, cub::BLOCK_SCAN_WARP_SCANS>;

template <class Bits>
struct DistinctShared {
  typename DistinctScan::TempStorage scan;
  std::uint64_t prefix;
  Bits keys[kDistinctTile<Bits>];             ///< what is kept of the tile
  std::uint16_t places[kDistinctTile<Bits>];  ///< where in the tile it was
};

/// Copies values of the kept items. Unit: of the size of a value.
template <class Unit, class Bits>
__device__ void copy_kept_values(const DistinctCall<Bits>& call, std::uint64_t tile_begin, unsigned kept,
                                 const DistinctShared<Bits>& shared) {
  const auto* const from = reinterpret_cast<const Unit*>(call.items.values) + tile_begin;
  auto* const to = reinterpret_cast<Unit*>(call.out.values) + shared.prefix;
  for (unsigned i = threadIdx.x; i < kept; i += kDistinctThreads) to[i] = from[shared.places[i]];
}

template <class Bits>
__device__ void write_kept_values(const DistinctCall<Bits>& call, std::uint64_t tile_begin, unsigned kept,
                                  const DistinctShared<Bits>& shared) {
  const ValueCopy& copy = call.copy_value;
  if (copy.bytes == 4 && copy.unit_bytes == 4) {
    return copy_kept_values<std::uint32_t>(call, tile_begin, kept, shared);
  }
  if (copy.bytes == 8 && copy.unit_bytes == 8) {
    return copy_kept_values<std::uint64_t>(call, tile_begin, kept, shared);
  }
  for (unsigned i = threadIdx.x; i < kept; i += kDistinctThreads) {
    copy(call.items.values + (tile_begin + shared.places[i]) * copy.bytes,
         call.out.values + (shared.prefix + i) * copy.bytes);
  }
}

template <class Bits>
__device__ void keep_distinct(const DistinctCall<Bits>& call, unsigned tile, const DistinctKeys<Bits>& mine,
                              DistinctShared<Bits>& shared) {
  const std::uint64_t tile_begin = tile * kDistinctTile<Bits>;
  const unsigned place = threadIdx.x * kDistinctItems<Bits>;
  const unsigned kept_here = mine.kept(call, tile_begin + place);
  unsigned target = 0;
  unsigned kept = 0;
  DistinctScan(shared.scan).ExclusiveSum(__popc(kept_here), target, kept);
  if (threadIdx.x < 32) {
    const std::uint64_t prefix = call.tile_count == 1 ? 0 : tile_prefix(call.scan.status, tile, kept);
    if (threadIdx.x == 0) shared.prefix = prefix;
    if (threadIdx.x == 0 && tile + 1 == call.tile_count) *call.out.count = prefix + kept;
  }
#pragma unroll
  for (unsigned k = 0; k < kDistinctItems<Bits>; ++k) {
    if ((kept_here >> k & 1) == 0) continue;
    shared.keys[target] = mine.keys[k];
    shared.places[target++] = static_cast<std::uint16_t>(place + k);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kept; i += kDistinctThreads) call.out.keys[shared.prefix + i] = shared.keys[i];
  if (call.out.value_bytes != 0) write_kept_values(call, tile_begin, kept, shared);
  __syncthreads();
}

/// Clears the words of the look-back. The kernel behind it begins meanwhile, which it cannot behind a
/// cudaMemsetAsync().
__global__ void __launch_bounds__(kDistinctThreads) clear_words_kernel(std::uint64_t* words, std::uint64_t count) {
  await_launch_before();
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kDistinctThreads + threadIdx.x;
  if (i < count) words[i] = 0;
}

template <class Bits>
__global__ void __launch_bounds__(kDistinctThreads, kDistinctBlocks)
    keep_distinct_kernel(const __grid_constant__ DistinctCall<Bits> call) {
  __shared__ DistinctShared<Bits> shared;
  await_launch_before();
  const auto first_of = [](unsigned tile) { return tile * kDistinctTile<Bits> + threadIdx.x * kDistinctItems<Bits>; };
  const bool is_alone = call.tile_count == 1;
  unsigned tile = is_alone ? 0 : claim_tile(call.scan.tile_counter);
  DistinctKeys<Bits> next;
  next.load(call, first_of(tile));
  while (tile < call.tile_count) {
    const DistinctKeys<Bits> current = next;
    __syncthreads();
    const unsigned following = is_alone ? 1 : claim_tile(call.scan.tile_counter);
    if (following < call.tile_count) next.load(call, first_of(following));
    keep_distinct(call, tile, current, shared);
    tile = following;
  }
}

}  // namespace sortie::kernels
