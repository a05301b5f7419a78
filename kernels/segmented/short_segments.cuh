// The first kernel of the segmented sort. Each warp reads the bounds of some neighbouring segments, sorts those of up
// to kShortCapacity items, class by class of their lengths, and appends the longer ones to lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/segmented/segment_lists.cuh"
#include "kernels/segmented/segment_team.cuh"
#include "kernels/segmented_sort.hpp"

namespace sortie::kernels {

/// The segment of this lane, within the arrays whatever the offsets are; one without items if there is none, or if its
/// offsets descend. Of segments whose offsets all ascend no two overlap; if some descend, `is_disordered` is set.
__device__ inline Segment load_segment(const SegmentBounds& bounds, std::uint64_t item_count, std::uint32_t index,
                                       bool exists, std::uint32_t* is_disordered) {
  if (!exists) return {};
  const std::uint64_t begin = min(bounds.offsets[index], item_count);
  const std::uint64_t end = min(bounds.offsets[std::uint64_t{index} + 1], item_count);
  if (end < begin) {
    *is_disordered = 1;
    return {};
  }
  return {begin, end - begin};
}

/// Sorts the warp's segments for teams of this kind. `listed` has room for one segment a lane.
template <unsigned kTeamNumber, class Arrays>
__device__ void sort_for_teams(const Arrays& arrays, const Segment& segment, bool is_member, Segment* listed,
                               const typename Arrays::Tile& tile) {
  constexpr BitonicTeam kTeam = kShortTeams[kTeamNumber];
  constexpr unsigned kTeams = 32 / kTeam.threads;
  const unsigned members = __ballot_sync(~0u, is_member);
  if (members == 0) return;
  const unsigned lane = threadIdx.x % 32;
  const unsigned count = __popc(members);
  if (is_member) listed[__popc(members & ~(~0u << lane))] = segment;
  __syncwarp();
  for (unsigned first = lane / kTeam.threads; __any_sync(~0u, first < count); first += kTeams * kTeam.batch) {
    if constexpr (kTeam.batch == 1) {
      sort_segment<kTeam>(arrays, first < count ? listed[first] : Segment{}, tile);
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
__global__ void __launch_bounds__(kShortThreads)
    sort_short_segments_kernel(const __grid_constant__ Arrays arrays, std::uint64_t item_count,
                               const SegmentBounds bounds, unsigned segments_per_warp,
                               const __grid_constant__ SegmentLists lists, unsigned giant_tile_items) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kWarps = kShortThreads / 32;
  constexpr unsigned kTileItems = padded_items(kShortCapacity, Tile::kItemBytes);
  __shared__ __align__(16) std::byte shared[kWarps][kTileItems * Tile::kItemBytes];
  __shared__ Segment listed[kWarps][32];
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  await_launch_before();
  const std::uint64_t first = (std::uint64_t{blockIdx.x} * kWarps + warp) * segments_per_warp;
  if (first >= bounds.segment_count) return;
  const bool exists = lane < segments_per_warp && first + lane < bounds.segment_count;
  const Segment segment = load_segment(bounds, item_count, static_cast<std::uint32_t>(first + lane), exists,
                                       &lists.giants.counts->is_disordered);
  append_to_lists(lists, segment, giant_tile_items);
  const unsigned team = segment.count < 2 ? kShortTeamCount : short_team(segment.count);
  const Tile tile = Tile::tile_in(shared[warp], kTileItems);
  const auto sort_all = [&]<unsigned... kTeams>(std::integer_sequence<unsigned, kTeams...>) {
    (sort_for_teams<kTeams>(arrays, segment, team == kTeams, listed[warp], tile), ...);
  };
  sort_all(std::make_integer_sequence<unsigned, kShortTeamCount>());
}

}  // namespace sortie::kernels
