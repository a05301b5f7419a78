// The second kernel of the segmented sort. It takes segments from the lists that the first kernel left: a warp sorts a
// segment of a few hundred items, a block one of a few thousand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bitonic/bitonic_team.cuh"
#include "kernels/segmented/segmented_lists.cuh"

namespace sortie::kernels {

/// Sorts with the first team that holds the segment. One must.
template <unsigned kThreads, unsigned... kItems, class Arrays>
__device__ void sort_by_first_fitting(const Arrays& arrays, const Segment& segment, const typename Arrays::Tile& tile) {
  const auto sorts = [&]<unsigned kCount>() {
    constexpr BitonicTeam kTeam{kThreads, kCount};
    if (segment.count > kTeam.capacity()) return false;
    sort_by_team<kTeam>(arrays.from(segment.begin), static_cast<unsigned>(segment.count), tile);
    return true;
  };
  (sorts.template operator()<kItems>() || ...);
}

template <class Arrays>
__global__ void __launch_bounds__(kWideThreads)
    sort_wide_segments_kernel(const Arrays arrays, const SegmentLists lists) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kItems = wide_thread_items(Arrays::kItemBytes);
  constexpr unsigned kWarps = kWideThreads / 32;
  constexpr unsigned kWarpTile = padded_items(32 * kItems, Tile::kItemBytes);
  __shared__ __align__(16) std::byte shared[kWarps * kWarpTile * Tile::kItemBytes];

  const Tile block_tile = Arrays::tile_in(shared, kWarps * kWarpTile);
  for (std::uint64_t i = blockIdx.x; i < lists.counts->wide_block; i += gridDim.x) {
    if constexpr (Arrays::kItemBytes <= 8) {
      sort_by_first_fitting<kWideThreads, 12, 16, 24, 32>(arrays, lists.wide_block[i], block_tile);
    } else {
      sort_by_first_fitting<kWideThreads, 6, 8, 12, 16>(arrays, lists.wide_block[i], block_tile);
    }
  }
  const unsigned warp = threadIdx.x / 32;
  const Tile warp_tile = Arrays::tile_in(shared + warp * kWarpTile * Tile::kItemBytes, kWarpTile);
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kWarps + warp; i < lists.counts->wide_warp;
       i += std::uint64_t{gridDim.x} * kWarps) {
    if constexpr (Arrays::kItemBytes <= 8) {
      sort_by_first_fitting<32, 12, 16, 24, 32>(arrays, lists.wide_warp[i], warp_tile);
    } else {
      sort_by_first_fitting<32, 12, 16>(arrays, lists.wide_warp[i], warp_tile);
    }
  }
}

}  // namespace sortie::kernels
