// A team of threads sorts a list in registers. Neighbouring threads load and store neighbouring items. While it sorts,
// each thread holds neighbouring items itself.
#pragma once

#include <cstdint>

#include "kernels/bitonic/bitonic_arrays.cuh"
#include "kernels/bitonic/bitonic_network.cuh"
#include "kernels/bitonic/bitonic_plan.hpp"

namespace sortie::kernels {

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
  const unsigned team_place = thread / kThreads * kTeam.capacity();
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    tile.store(padded_place(thread * kTeam.items + r, Tile::kItemBytes), items[r]);
  }
  synchronise_tile<kTeam>();
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    if (left <= static_cast<int>(r * kThreads)) break;
    own.store(r * kThreads, tile.load(padded_place(team_place + r * kThreads + lane, Tile::kItemBytes)));
  }
  synchronise_tile<kTeam>();
}

}  // namespace sortie::kernels
