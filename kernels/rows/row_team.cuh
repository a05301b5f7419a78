// What the threads do together that sort a row: a team of parts of a warp, a warp or a block. Teams that are parts of a
// warp share its tile in shared memory, and call all this at once.
#pragma once

#include <cstdint>

#include "kernels/bitonic/bitonic_network.cuh"

namespace sortie::kernels {

/// Whether any thread of those who share a tile says so. All of them call it.
template <BitonicTeam kTeam>
__device__ bool any_of_tile(bool says) {
  if constexpr (kTeam.threads > 32) {
    return __syncthreads_or(says ? 1 : 0) != 0;
  } else {
    return __any_sync(~0u, says);
  }
}

/// How many threads of those who share a tile say so. All of them call it.
template <BitonicTeam kTeam>
__device__ unsigned count_of_tile(bool says) {
  if constexpr (kTeam.threads > 32) {
    return static_cast<unsigned>(__syncthreads_count(says ? 1 : 0));
  } else {
    return static_cast<unsigned>(__popc(__ballot_sync(~0u, says)));
  }
}

/// Sorts the items of all teams that share a tile, and leaves them there. `thread`: of those who share it.
template <BitonicTeam kTeam, class Item, class Tile>
__device__ void sort_to_tile(Item (&items)[kTeam.items], const Tile& tile, unsigned thread) {
  sort_team<kTeam.threads>(items, tile);
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    tile.store(padded_position(thread * kTeam.items + k, Tile::kItemBytes), items[k]);
  }
  synchronise_tile<kTeam>();
}

/// Loads items that lie as far behind each other as the team has threads.
template <BitonicTeam kTeam, class Item, class Tile>
__device__ void load_from_tile(Item (&items)[kTeam.items], const Tile& tile, unsigned first) {
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    items[k] = tile.load(padded_position(first + k * kTeam.threads, Tile::kItemBytes));
  }
}

/// The bits that are set in the word of some thread of the team. All threads that share the tile call it.
template <BitonicTeam kTeam, class Tile>
__device__ std::uint64_t bits_of_team(std::uint64_t word, const Tile& tile) {
  constexpr unsigned kLanes = kTeam.threads > 32 ? 32 : kTeam.threads;
#pragma unroll
  for (unsigned mask = kLanes / 2; mask > 0; mask /= 2) word |= cuda::shuffle_xor(word, mask);
  if constexpr (kTeam.threads > 32) {
    if (threadIdx.x % 32 == 0) tile.store(threadIdx.x / 32, word);
    __syncthreads();
#pragma unroll
    for (unsigned warp = 0; warp < kTeam.threads / 32; ++warp) word |= tile.load(warp);
    __syncthreads();
  }
  return word;
}

}  // namespace sortie::kernels
