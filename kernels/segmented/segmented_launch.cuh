// The launches of a segmented sort, for the files that instantiate it: short segments, then what that kernel has left
// in lists. A list that no segment can be on, as there are not enough items, has no launch.
#pragma once

#include <cstdint>

#include "kernels/common/attribute_launch.cuh"
#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/segmented/giant_segments.cuh"
#include "kernels/segmented/listed_segments.cuh"
#include "kernels/segmented/short_segments.cuh"
#include "kernels/segmented_sort.hpp"

namespace sortie::kernels {

template <class Kernel>
unsigned resident_blocks(Kernel kernel, unsigned threads, std::uint64_t shared_bytes) {
  int blocks = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), shared_bytes),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<unsigned>(blocks);
}

/// Launches one sort.
template <class Code, class Value>
class SegmentedSort {
 public:
  SegmentedSort(const RadixArrays<Code, Value>& arrays, const KeyCodec<Code>& codec, std::uint64_t count,
                const SegmentBounds& bounds, void* scratch, cudaStream_t stream)
      : arrays_(arrays),
        segments_{arrays.keys, arrays.values, codec},
        count_(count),
        bounds_(bounds),
        shared_bytes_(shared_bytes_per_block()),
        lists_(segment_lists(sizeof(Code), kValueBytes, count, shared_bytes_ >= kLargeBlockBytes, scratch)),
        overlaps_(has_code_for_90(sort_warp_segments_kernel<Arrays>)),
        stream_(stream) {}

  void launch() const {
    if (count_ > kShortCapacity) {
      check_cuda(cudaMemsetAsync(lists_.giants.counts, 0, sizeof(SegmentCounts), stream_),
                 "clearing the counts of segments");
    }
    const bool has_large_tiles = shared_bytes_ >= GiantSort<Code, Value, LargeTile>::kSharedBytes;
    sort_short(has_large_tiles ? LargeTile::kItems : SmallTile::kItems);
    if (count_ > kShortCapacity) sort_by_warps();
    const SegmentCapacities& most = lists_.capacities;
    if (count_ > most.warp) sort_by_small_blocks();
    if (count_ > most.small_block && most.large_block > most.small_block) {
      sort_by_blocks<LargeBlockShape<Code>>(lists_.for_large_blocks, most.small_block);
    }
    if (count_ <= most.large_block) return;
    if (has_large_tiles) {
      sort_giants<LargeTile>();
    } else {
      sort_giants<SmallTile>();
    }
  }

 private:
  using Arrays = SegmentArrays<Code, Value>;

  static constexpr std::size_t kValueBytes = kHasValue<Value> ? sizeof(Value) : 0;
  using LargeTile = GiantTile<true, sizeof(Code), kValueBytes>;
  using SmallTile = GiantTile<false, sizeof(Code), kValueBytes>;
  static_assert(SmallTile::kItems == kSmallestRadixTile);

  template <class Shape>
  static constexpr std::uint64_t kBlockBytes = sizeof(RadixClusterShared<Code, Value, typename Shape::Most>);
  static constexpr std::uint64_t kLargeBlockBytes = kBlockBytes<LargeBlockShape<Code>>;

  void sort_short(unsigned giant_tile_items) const {
    const unsigned per_warp = segments_per_warp(count_, bounds_.segment_count);
    const std::uint64_t warps = divide_up(bounds_.segment_count, per_warp);
    const unsigned grid = grid_of_tiles(divide_up(warps, kShortThreads / 32));
    sort_short_segments_kernel<<<grid, kShortThreads, 0, stream_>>>(segments_, count_, bounds_, per_warp, lists_,
                                                                    giant_tile_items);
    check_launch("kernel of short segments");
  }

  void sort_by_warps() const {
    const auto kernel = sort_warp_segments_kernel<Arrays>;
    const std::uint64_t most = divide_up(longer_segment_limit(count_, kShortCapacity), kWarpSegmentThreads / 32);
    launch_overlapping(kernel, "kernel of segments for warps",
                       {persistent_grid(most, resident_blocks(kernel, kWarpSegmentThreads, 0)), kWarpSegmentThreads},
                       overlaps_, stream_, segments_, lists_.for_warps);
  }

  void sort_by_small_blocks() const {
    const SegmentList& list = lists_.for_small_blocks;
    const unsigned longer_than = lists_.capacities.warp;
    if constexpr (takes_network_blocks(sizeof(Code), kValueBytes)) {
      const auto kernel = sort_network_segments_kernel<Arrays>;
      const unsigned resident = resident_blocks(kernel, kNetworkBlockThreads, 0);
      launch_overlapping(kernel, "kernel of segments for blocks of networks",
                         {persistent_grid(longer_segment_limit(count_, longer_than), resident), kNetworkBlockThreads},
                         overlaps_, stream_, segments_, list);
    } else {
      sort_by_blocks<SmallBlockShape>(list, longer_than);
    }
  }

  template <class Shape>
  void sort_by_blocks(const SegmentList& list, unsigned longer_than) const {
    const auto kernel = sort_block_segments_kernel<Shape, Code, Value>;
    constexpr std::uint64_t kBytes = kBlockBytes<Shape>;
    allow_shared_bytes(kernel, kBytes, "shared memory of the kernel of segments for blocks");
    const unsigned resident = resident_blocks(kernel, Shape::kThreads, kBytes);
    launch_overlapping(kernel, "kernel of segments for blocks",
                       {persistent_grid(longer_segment_limit(count_, longer_than), resident), Shape::kThreads, kBytes},
                       overlaps_, stream_, segments_, list);
  }

  template <class Tile>
  void sort_giants() const {
    const auto kernel = sort_giant_segments_kernel<Tile, Code, Value>;
    constexpr std::uint64_t kBytes = GiantSort<Code, Value, Tile>::kSharedBytes;
    allow_shared_bytes(kernel, kBytes, "shared memory of the kernel of giant segments");
    const std::uint64_t most_tiles =
        count_ / Tile::kItems + longer_segment_limit(count_, lists_.capacities.large_block);
    const unsigned resident = resident_blocks(kernel, Tile::kTuning.threads, kBytes);
    launch_with({.runs_at_once = true}, kernel, "kernel of giant segments",
                {persistent_grid(most_tiles, resident), Tile::kTuning.threads, kBytes}, stream_, arrays_,
                segments_.codec, lists_.giants);
  }

  const RadixArrays<Code, Value> arrays_;
  const Arrays segments_;
  const std::uint64_t count_;
  const SegmentBounds bounds_;
  const unsigned shared_bytes_;
  const SegmentLists lists_;
  const bool overlaps_;  ///< see launch_overlapping()
  const cudaStream_t stream_;
};

/// With a codec for all: kernels for keys that need none would be as many again.
template <class Key, class Value>
void segmented_sort(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                    const SegmentBounds& bounds, SortOrder order, void* scratch, cudaStream_t stream) {
  if (bounds.segment_count == 0 || count < 2) return;
  SegmentedSort<CodeOf<Key>, Value>({as_codes(keys), as_codes(alternate_keys), values, alternate_values},
                                    codec_of<Key>(order), count, bounds, scratch, stream)
      .launch();
}

/// Instantiates the sorts of keys with such values.
#define SORTIE_SEGMENTED_SORT_OF(Key, Value)                                                                      \
  template void segmented_sort(Key*, Key*, Value*, Value*, std::uint64_t, const SegmentBounds&, SortOrder, void*, \
                               cudaStream_t);
#define SORTIE_SEGMENTED_SORTS_OF_4_BYTES(Value) \
  SORTIE_SEGMENTED_SORT_OF(std::uint32_t, Value) \
  SORTIE_SEGMENTED_SORT_OF(std::int32_t, Value)  \
  SORTIE_SEGMENTED_SORT_OF(float, Value)
#define SORTIE_SEGMENTED_SORTS_OF_8_BYTES(Value) \
  SORTIE_SEGMENTED_SORT_OF(std::uint64_t, Value) \
  SORTIE_SEGMENTED_SORT_OF(std::int64_t, Value)  \
  SORTIE_SEGMENTED_SORT_OF(double, Value)

}  // namespace sortie::kernels
