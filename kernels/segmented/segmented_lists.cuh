// The segments that the narrow kernel leaves to others. It appends them to lists, in any order.
#pragma once

#include <cstdint>

#include "kernels/common/scratch_layout.hpp"
#include "kernels/segmented/segmented_plan.hpp"

namespace sortie::kernels {

/// All zero before the sort.
struct SegmentCounts {
  unsigned long long wide_warp;
  unsigned long long wide_block;
  unsigned long long giant_tally;       ///< a GiantTally
  unsigned long long most_giant_items;  ///< items of the longest giant
};

struct SegmentLists {
  SegmentCounts* counts;
  Segment* wide_warp;
  Segment* wide_block;
  GiantSegment* giants;
};

/// Appends the segments of the lanes with `wanted` to a list. Called by whole warps.
__device__ inline void append_segments(Segment* list, unsigned long long* list_count, const Segment& segment,
                                       bool wanted) {
  const unsigned takers = __ballot_sync(~0u, wanted);
  if (takers == 0) return;
  const unsigned lane = threadIdx.x % 32;
  const int leader = __ffs(static_cast<int>(takers)) - 1;
  unsigned long long place = 0;
  if (static_cast<int>(lane) == leader) {
    place = atomicAdd(list_count, static_cast<unsigned long long>(__popc(takers)));
  }
  place = __shfl_sync(~0u, place, leader) + __popc(takers & ~(~0u << lane));
  if (wanted) list[place] = segment;
}

__device__ inline void append_giant(const SegmentLists& lists, const Segment& segment) {
  GiantSegment giant{segment, 0};
  const std::uint64_t before = atomicAdd(&lists.counts->giant_tally, GiantTally::of_one(giant.tile_count()));
  giant.first_tile = GiantTally::tiles(before);
  lists.giants[GiantTally::giants(before)] = giant;
  atomicMax(&lists.counts->most_giant_items, static_cast<unsigned long long>(segment.count));
}

}  // namespace sortie::kernels
