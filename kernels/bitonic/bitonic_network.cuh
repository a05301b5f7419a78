// A list in memory as the items of a team: 1, 2, 4, ... 32 neighbouring lanes of a warp, or a block of whole warps,
// load it, sort it by the public header's network, and store it.
#pragma once

#include <cstdint>

#include <sortie/cuda/bitonic_steps.cuh>

#include "kernels/bitonic/bitonic_arrays.cuh"
#include "kernels/bitonic/bitonic_plan.hpp"

namespace sortie::kernels {

/// Sorts a team's items in the order of `shared`, which has room for all. Teams within a warp do not touch it.
template <unsigned kThreads, class Arrays, unsigned kItems>
__device__ __forceinline__ void sort_team(typename Arrays::Item (&items)[kItems], const Arrays& shared) {
  cuda::sort_team<kThreads>(items, shared, typename Arrays::Before());
}

/// Sorts kBatch lists at once, each with one item per thread, so that their shuffles are under way together.
template <unsigned kThreads, class Arrays, unsigned kBatch>
__device__ __forceinline__ void sort_batch(typename Arrays::Item (&items)[kBatch]) {
  cuda::sort_batch<kThreads>(items, typename Arrays::Before());
}

/// Synchronises the threads that share a tile: a warp, or the block if it is one team.
template <BitonicTeam kTeam>
__device__ void synchronise_tile() {
  if constexpr (kTeam.threads > 32) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}

/// Sorts the first `count` items of `arrays`, which may be none, with all threads of the team. All teams of a warp
/// call it at once. `tile` has padded_items() of the warp's or the block's shared memory.
template <BitonicTeam kTeam, class Arrays>
__device__ void sort_by_team(const Arrays& arrays, unsigned count, const typename Arrays::Tile& tile) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kThreads = kTeam.threads;
  const unsigned lane = threadIdx.x % kThreads;
  const Arrays own = arrays.from(lane);
  const int left = static_cast<int>(count) - static_cast<int>(lane);
  typename Tile::Item items[kTeam.items];
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    items[r] = left > static_cast<int>(r * kThreads) ? own.load(r * kThreads) : Tile::infinity();
  }
  sort_team<kThreads>(items, tile);

  const unsigned thread = threadIdx.x % (kThreads > 32 ? kThreads : 32);
  const unsigned team_position = thread / kThreads * kTeam.capacity();
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    tile.store(padded_position(thread * kTeam.items + r, Tile::kItemBytes), items[r]);
  }
  synchronise_tile<kTeam>();
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    if (left <= static_cast<int>(r * kThreads)) break;
    own.store(r * kThreads, tile.load(padded_position(team_position + r * kThreads + lane, Tile::kItemBytes)));
  }
  synchronise_tile<kTeam>();
}

}  // namespace sortie::kernels
