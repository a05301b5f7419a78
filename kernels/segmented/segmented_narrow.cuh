// The first kernel of the segmented sort. Each warp reads the bounds of some neighbouring segments. It sorts those of
// up to kNarrowCapacity items, class by class of their lengths, and appends the longer ones to lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/bitonic/bitonic_team.cuh"
#include "kernels/segmented/segmented_lists.cuh"
#include "kernels/segmented_sort.hpp"

namespace sortie::kernels {

/// The segment of this lane. Empty if there is none.
__device__ inline Segment load_segment(const Segments& segments, std::uint64_t index, bool exists) {
  if (!exists) return {};
  const std::uint64_t begin = segments.offsets[index];
  return {begin, segments.offsets[index + 1] - begin};
}

template <unsigned kItemBytes>
__device__ void append_to_lists(const SegmentLists& lists, const Segment& segment) {
  if (!__any_sync(~0u, segment.count > kNarrowCapacity)) return;
  const bool is_giant = segment.count > wide_block_capacity(kItemBytes);
  const bool is_wide = !is_giant && segment.count > kNarrowCapacity;
  const bool needs_block = is_wide && segment.count > wide_warp_capacity(kItemBytes);
  append_segments(lists.wide_warp, &lists.counts->wide_warp, segment, is_wide && !needs_block);
  append_segments(lists.wide_block, &lists.counts->wide_block, segment, needs_block);
  if (is_giant) append_giant(lists, segment);
}

/// Sorts a batch of segments, with one item per thread and segment.
template <BitonicTeam kTeam, class Arrays>
__device__ void sort_segment_batch(const Arrays& arrays, const Segment (&segments)[kTeam.batch]) {
  static_assert(kTeam.items == 1);
  using Tile = typename Arrays::Tile;
  const unsigned lane = threadIdx.x % kTeam.threads;
  typename Tile::Item items[kTeam.batch];
#pragma unroll
  for (unsigned b = 0; b < kTeam.batch; ++b) {
    items[b] = lane < segments[b].count ? arrays.load(segments[b].begin + lane) : Tile::infinity();
  }
  sort_batch<kTeam.threads, Tile>(items);
#pragma unroll
  for (unsigned b = 0; b < kTeam.batch; ++b) {
    if (lane < segments[b].count) arrays.store(segments[b].begin + lane, items[b]);
  }
}

/// Sorts the warp's segments that belong to teams of this kind. `listed` has room for one segment per lane.
template <unsigned kTeamNumber, class Arrays>
__device__ void sort_for_teams(const Arrays& arrays, const Segment& segment, bool is_member, Segment* listed,
                               const typename Arrays::Tile& tile) {
  constexpr BitonicTeam kTeam = kNarrowTeams[kTeamNumber];
  constexpr unsigned kTeams = 32 / kTeam.threads;
  const unsigned members = __ballot_sync(~0u, is_member);
  if (members == 0) return;
  const unsigned lane = threadIdx.x % 32;
  const unsigned count = __popc(members);
  if (is_member) listed[__popc(members & ~(~0u << lane))] = segment;
  __syncwarp();
  for (unsigned first = lane / kTeam.threads; __any_sync(~0u, first < count); first += kTeams * kTeam.batch) {
    if constexpr (kTeam.batch == 1) {
      const Segment own = first < count ? listed[first] : Segment{};
      sort_by_team<kTeam>(arrays.from(own.begin), static_cast<unsigned>(own.count), tile);
    } else {
      Segment batch[kTeam.batch];
#pragma unroll
      for (unsigned b = 0; b < kTeam.batch; ++b) {
        if (first + b * kTeams < count) batch[b] = listed[first + b * kTeams];
      }
      sort_segment_batch<kTeam>(arrays, batch);
    }
  }
  __syncwarp();
}

template <class Arrays>
__global__ void __launch_bounds__(kNarrowThreads)
    sort_narrow_segments_kernel(const Arrays arrays, const Segments segments, unsigned segments_per_warp,
                                const SegmentLists lists) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kWarps = kNarrowThreads / 32;
  constexpr unsigned kTileItems = padded_items(kNarrowCapacity, Tile::kItemBytes);
  __shared__ __align__(16) std::byte shared[kWarps][kTileItems * Tile::kItemBytes];
  __shared__ Segment listed[kWarps][32];
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t first = (std::uint64_t{blockIdx.x} * kWarps + warp) * segments_per_warp;
  if (first >= segments.segment_count) return;
  const bool exists = lane < segments_per_warp && first + lane < segments.segment_count;
  const Segment segment = load_segment(segments, first + lane, exists);
  append_to_lists<Arrays::kItemBytes>(lists, segment);
  const unsigned team = segment.count < 2 ? kNarrowTeamCount : narrow_team(segment.count);
  const Tile tile = Arrays::tile_in(shared[warp], kTileItems);
  const auto sort_all = [&]<unsigned... kTeams>(std::integer_sequence<unsigned, kTeams...>) {
    (sort_for_teams<kTeams>(arrays, segment, team == kTeams, listed[warp], tile), ...);
  };
  sort_all(std::make_integer_sequence<unsigned, kNarrowTeamCount>());
}

}  // namespace sortie::kernels
