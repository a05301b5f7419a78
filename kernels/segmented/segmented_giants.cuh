// The third kernel of the segmented sort: all blocks together sort the segments that no block can hold. The host does
// not know whether there are any. So this is one launch with barriers of the whole grid between its steps, not a
// launch per step. All giants take each step together.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cooperative_groups.h>

#include "kernels/bitonic/bitonic_tile.cuh"
#include "kernels/segmented/segmented_lists.cuh"

namespace sortie::kernels {

/// A block's share of the giants' tiles, the same in every step.
class GiantTiles {
 public:
  __device__ explicit GiantTiles(const SegmentLists& lists) : giants_(lists.giants) {
    const std::uint64_t tally = lists.counts->giant_tally;
    const std::uint64_t tiles = GiantTally::tiles(tally);
    begin_ = tiles * blockIdx.x / gridDim.x;
    end_ = tiles * (blockIdx.x + 1) / gridDim.x;
    if (begin_ < end_) first_giant_ = giant_of_tile(giants_, GiantTally::giants(tally), begin_);
  }

  /// Calls visit(giant, number of the tile in it) for each tile of the share.
  template <class Visit>
  __device__ void for_each(const Visit& visit) const {
    std::uint64_t giant = first_giant_;
    for (std::uint64_t tile = begin_; tile < end_; ++tile) {
      while (tile - giants_[giant].first_tile >= giants_[giant].tile_count()) ++giant;
      visit(giants_[giant], tile - giants_[giant].first_tile);
    }
  }

 private:
  const GiantSegment* giants_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t first_giant_ = 0;
};

/// Makes steps of a merge whose comparators reach across tiles. A giant's groups are dealt out to its tiles in turn.
template <unsigned kItems, class Arrays>
__device__ void merge_groups(const Arrays& arrays, const GiantTiles& tiles, std::uint64_t size, bool mirrored) {
  constexpr unsigned kTileGroups = kBitonicTile / kItems;
  tiles.for_each([&](const GiantSegment& giant, std::uint64_t tile) {
    const Segment& segment = giant.segment;
    const std::uint64_t groups = group_count(segment.count, kItems, size);
    for (unsigned i = threadIdx.x; i < kTileGroups; i += kTileTeam.threads) {
      for (std::uint64_t group = tile * kTileGroups + i; group < groups; group += giant.tile_count() * kTileGroups) {
        merge_group<kItems>(arrays.from(segment.begin), segment.count, group, size, mirrored);
      }
    }
  });
}

/// Makes the steps of a merge of `size` items that reach across tiles, with a barrier before each and after the last.
template <class Arrays>
__device__ void merge_across_tiles(const Arrays& arrays, const GiantTiles& tiles, std::uint64_t size) {
  bool mirrored = true;
  while (size > kBitonicTile) {
    cooperative_groups::this_grid().sync();
    const unsigned items = group_items(size, kBitonicTile);
    if (items == 8) {
      merge_groups<8>(arrays, tiles, size, mirrored);
    } else if (items == 4) {
      merge_groups<4>(arrays, tiles, size, mirrored);
    } else {
      merge_groups<2>(arrays, tiles, size, mirrored);
    }
    size /= items;
    mirrored = false;
  }
  cooperative_groups::this_grid().sync();
}

/// Must be launched as a cooperative grid.
template <class Arrays>
__global__ void __launch_bounds__(kTileTeam.threads)
    sort_giant_segments_kernel(const Arrays arrays, const SegmentLists lists) {
  __shared__ __align__(16) std::byte shared[kTileBytes<Arrays>];
  const std::uint64_t most_items = lists.counts->most_giant_items;
  if (most_items == 0) return;
  const GiantTiles tiles(lists);
  tiles.for_each([&](const GiantSegment& giant, std::uint64_t tile) {
    work_on_tile<TileWork::kSort>(arrays.from(giant.segment.begin), tile, giant.segment.count, shared);
  });
  for (std::uint64_t merged = 2 * std::uint64_t{kBitonicTile}; merged / 2 < most_items; merged *= 2) {
    merge_across_tiles(arrays, tiles, merged);
    tiles.for_each([&](const GiantSegment& giant, std::uint64_t tile) {
      if (giant.segment.count <= merged / 2) return;
      work_on_tile<TileWork::kFinishMerge>(arrays.from(giant.segment.begin), tile, giant.segment.count, shared);
    });
  }
}

}  // namespace sortie::kernels
