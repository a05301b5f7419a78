// Threads of a warp, or a block, sort a segment in registers, by a bitonic network. Values stay where they are until it
// is known where each goes.
#pragma once

#include <cstdint>

#include "kernels/bitonic/bitonic_network.cuh"
#include "kernels/segmented/segment_items.cuh"

namespace sortie::kernels {

/// Stores the items of a team, of which thread t holds item k * kThreads + t, and moves the values. The team reads all
/// values before it writes one.
template <unsigned kThreads, unsigned kItems, class Arrays>
__device__ void store_segment(const Arrays& arrays, const Segment& segment,
                              const typename Arrays::Item (&items)[kItems]) {
  using Value = typename Arrays::Value;
  const unsigned lane = threadIdx.x % kThreads;
  Value values[kHasValue<Value> ? kItems : 1];
  if constexpr (kHasValue<Value>) {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (k * kThreads + lane >= segment.count) break;
      values[k] = arrays.values[segment.begin + Arrays::Items::position_of(items[k])];
    }
    __syncwarp();
  }
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned at = k * kThreads + lane;
    if (at >= segment.count) break;
    arrays.store_key(segment, at, items[k]);
    if constexpr (kHasValue<Value>) arrays.values[segment.begin + at] = values[k];
  }
}

/// Sorts a segment, which may be empty, with all threads of the team. All teams of a warp call it at once. `tile` has
/// padded_items() of the warp's or the block's shared memory. A block takes keys without values.
template <BitonicTeam kTeam, class Arrays>
__device__ void sort_segment(const Arrays& arrays, const Segment& segment, const typename Arrays::Tile& tile) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kThreads = kTeam.threads;
  static_assert(kThreads <= 32 || !kHasValue<typename Arrays::Value>);
  const unsigned lane = threadIdx.x % kThreads;
  typename Tile::Item items[kTeam.items];
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) items[k] = arrays.load(segment, k * kThreads + lane);
  sort_team<kThreads>(items, tile);

  const unsigned thread = threadIdx.x % (kThreads > 32 ? kThreads : 32);
  const unsigned team_begin = thread / kThreads * kTeam.capacity();
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    tile.store(padded_position(thread * kTeam.items + k, Tile::kItemBytes), items[k]);
  }
  synchronise_tile<kTeam>();
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    items[k] = tile.load(padded_position(team_begin + k * kThreads + lane, Tile::kItemBytes));
  }
  store_segment<kThreads>(arrays, segment, items);
  synchronise_tile<kTeam>();
}

/// Sorts a batch of segments of one item a thread, so that their shuffles are under way together. Values move by
/// shuffles.
template <BitonicTeam kTeam, class Arrays>
__device__ void sort_segment_batch(const Arrays& arrays, const Segment (&segments)[kTeam.batch]) {
  static_assert(kTeam.items == 1 && kTeam.threads <= 32);
  using Tile = typename Arrays::Tile;
  using Value = typename Arrays::Value;
  const unsigned lane = threadIdx.x % kTeam.threads;
  typename Tile::Item items[kTeam.batch];
  Value values[kTeam.batch]{};
#pragma unroll
  for (unsigned b = 0; b < kTeam.batch; ++b) {
    items[b] = arrays.load(segments[b], lane);
    if constexpr (kHasValue<Value>) {
      if (lane < segments[b].count) values[b] = arrays.values[segments[b].begin + lane];
    }
  }
  sort_batch<kTeam.threads, Tile>(items);
#pragma unroll
  for (unsigned b = 0; b < kTeam.batch; ++b) {
    if constexpr (kHasValue<Value>) {
      const unsigned from = threadIdx.x % 32 - lane + Arrays::Items::position_of(items[b]) % kTeam.threads;
      values[b] = __shfl_sync(~0u, values[b], static_cast<int>(from));
    }
    if (lane >= segments[b].count) continue;
    arrays.store_key(segments[b], lane, items[b]);
    if constexpr (kHasValue<Value>) arrays.values[segments[b].begin + lane] = values[b];
  }
}

}  // namespace sortie::kernels
