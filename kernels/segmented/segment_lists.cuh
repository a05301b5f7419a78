// The segments that the first kernel leaves to others: it appends them to lists, in whichever order.
#pragma once

#include <cstdint>

#include "kernels/common/scratch_layout.hpp"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/segmented/segment_plan.hpp"

namespace sortie::kernels {

/// A list, and the counter by which blocks take segments from it.
struct SegmentList {
  Segment* segments;
  std::uint64_t limit;  ///< the most segments that it has room for
  std::uint32_t* count;
  std::uint32_t* taken;
  const std::uint32_t* is_disordered;  ///< see SegmentCounts

  /// How many segments to sort. None if offsets descend: there may be more than there is room for.
  __device__ std::uint32_t size() const { return *is_disordered != 0 ? 0 : *count; }
};

/// Zero before the sort.
struct SegmentCounts {
  std::uint32_t listed[3];
  std::uint32_t taken[3];
  std::uint32_t passes_end;        ///< behind the last pass that some giant takes
  std::uint32_t has_unsettled;     ///< not zero if leading digits may not be enough for some giant
  std::uint32_t has_failed;        ///< not zero if they were not
  std::uint32_t arrived_blocks;    ///< at all barriers of the grid that sorts the giants
  std::uint32_t is_disordered;     ///< not zero if offsets descend, so that segments may overlap: lists are not sorted
  unsigned long long giant_tally;  ///< a GiantTally
};

/// The bits in which keys of a giant differ.
struct GiantBits {
  std::uint64_t ones;   ///< bits that are one in some key
  std::uint64_t zeros;  ///< bits that are zero in some key
};

/// The giants, and what their passes share.
struct GiantLists {
  SegmentCounts* counts;
  GiantSegment* giants;
  std::uint64_t limit;     ///< the most giants that there is room for
  std::uint32_t* bins;     ///< for each giant and digit: counts; then where each bin begins in the giant
  GiantTileRecord* tiles;  ///< of all giants
  std::uint64_t* status;   ///< a GiantWord for each tile and bin
  GiantBits* bits;         ///< of each giant

  /// The bins of one digit, of keys with `digit_count` digits.
  __device__ std::uint32_t* bins_of(unsigned giant, unsigned digit, unsigned digit_count) const {
    return bins + (std::uint64_t{giant} * digit_count + digit) * kRadixBins;
  }
};

struct SegmentLists {
  SegmentCapacities capacities;
  SegmentList for_warps;
  SegmentList for_small_blocks;
  SegmentList for_large_blocks;
  GiantLists giants;
  std::uint64_t size_bytes;
};

/// Upper bound on the tiles of all giants. Without large blocks, more segments are giants.
constexpr std::uint64_t most_giant_tiles(std::uint64_t item_count) {
  return item_count / kSmallestRadixTile + longer_segment_limit(item_count, kSmallBlockCapacity);
}

/// The lists for `item_count` items, whatever their segments. Without an area: only the size is wanted.
inline SegmentLists segment_lists(std::size_t key_bytes, std::size_t value_bytes, std::uint64_t item_count,
                                  bool has_large_blocks, void* area = nullptr) {
  const std::uint64_t most_giants = longer_segment_limit(item_count, kSmallBlockCapacity);
  const std::uint64_t digits = 8 * key_bytes / kDigitBits;
  ScratchLayout layout(area);
  SegmentLists lists{};
  lists.capacities = segment_capacities(key_bytes, value_bytes, has_large_blocks);
  SegmentCounts* const counts = layout.take<SegmentCounts>(1);
  SegmentList* const all[] = {&lists.for_warps, &lists.for_small_blocks, &lists.for_large_blocks};
  const unsigned longer_than[] = {kShortCapacity, lists.capacities.warp, lists.capacities.small_block};
  for (unsigned i = 0; i < 3; ++i) {
    all[i]->limit = longer_segment_limit(item_count, longer_than[i]);
    all[i]->segments = layout.take<Segment>(all[i]->limit);
    if (area == nullptr) continue;
    all[i]->count = counts->listed + i;
    all[i]->taken = counts->taken + i;
    all[i]->is_disordered = &counts->is_disordered;
  }
  lists.giants.counts = counts;
  lists.giants.limit = most_giants;
  lists.giants.giants = layout.take<GiantSegment>(most_giants);
  lists.giants.bits = layout.take<GiantBits>(most_giants);
  lists.giants.bins = layout.take<std::uint32_t>(most_giants * digits * kRadixBins);
  lists.giants.tiles = layout.take<GiantTileRecord>(most_giant_tiles(item_count));
  lists.giants.status = layout.take<std::uint64_t>(most_giant_tiles(item_count) * kRadixBins);
  lists.size_bytes = layout.size_bytes();
  return lists;
}

/// Adds the segments of the lanes that want it to a list, as far as there is room: there is if offsets ascend. For
/// whole warps.
__device__ inline void append_segments(const SegmentList& list, const Segment& segment, bool wanted) {
  const unsigned takers = __ballot_sync(~0u, wanted);
  if (takers == 0) return;
  const unsigned lane = threadIdx.x % 32;
  const int leader = __ffs(static_cast<int>(takers)) - 1;
  unsigned place = 0;
  if (static_cast<int>(lane) == leader) place = atomicAdd(list.count, static_cast<unsigned>(__popc(takers)));
  place = __shfl_sync(~0u, place, leader) + __popc(takers & ~(~0u << lane));
  if (wanted && place < list.limit) list.segments[place] = segment;
}

__device__ inline void append_giant(const GiantLists& lists, const Segment& segment, unsigned tile_items) {
  const std::uint64_t tiles = tiles_of_giant(segment.count, tile_items);
  const std::uint64_t before = atomicAdd(&lists.counts->giant_tally, GiantTally::of_one(tiles));
  const unsigned place = GiantTally::giants(before);
  if (place < lists.limit) lists.giants[place] = {segment, GiantTally::tiles(before)};
}

/// Appends a segment of each lane that is not short to the list of those who sort it. For whole warps.
__device__ inline void append_to_lists(const SegmentLists& lists, const Segment& segment, unsigned giant_tile_items) {
  if (!__any_sync(~0u, segment.count > kShortCapacity)) return;
  const SegmentCapacities& most = lists.capacities;
  const bool is_giant = segment.count > most.large_block;
  const bool fits_warp = segment.count <= most.warp;
  const bool fits_small = segment.count <= most.small_block;
  append_segments(lists.for_warps, segment, segment.count > kShortCapacity && fits_warp);
  append_segments(lists.for_small_blocks, segment, !fits_warp && fits_small);
  append_segments(lists.for_large_blocks, segment, !fits_small && !is_giant);
  if (is_giant) append_giant(lists.giants, segment, giant_tile_items);
}

}  // namespace sortie::kernels
