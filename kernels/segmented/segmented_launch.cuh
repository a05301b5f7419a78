// The launches of a segmented sort, for the files that instantiate it.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/common/with_codec.hpp"
#include "kernels/segmented/segmented_giants.cuh"
#include "kernels/segmented/segmented_narrow.cuh"
#include "kernels/segmented/segmented_wide.cuh"
#include "kernels/segmented_sort.hpp"

namespace sortie::kernels {

struct SegmentScratch {
  SegmentLists lists;
  std::uint64_t size_bytes;
};

/// Lays out lists for items of any size. Without an area, only the size is valid.
inline SegmentScratch segment_scratch(void* area, const Segments& segments) {
  const auto limit = [&](std::uint64_t capacity) {
    return longer_segment_limit(segments.item_count, segments.segment_count, capacity);
  };
  ScratchLayout layout(area);
  SegmentLists lists{};
  lists.counts = layout.take<SegmentCounts>(1);
  lists.wide_warp = layout.take<Segment>(limit(kNarrowCapacity));
  lists.wide_block = layout.take<Segment>(limit(wide_warp_capacity(kWidestItemBytes)));
  lists.giants = layout.take<GiantSegment>(limit(wide_block_capacity(kWidestItemBytes)));
  return {lists, layout.size_bytes()};
}

template <class Arrays>
void launch_narrow(const Arrays& arrays, const Segments& segments, const SegmentLists& lists, cudaStream_t stream) {
  const unsigned per_warp = segments_per_warp(segments.item_count, segments.segment_count);
  const std::uint64_t warps = divide_up(segments.segment_count, per_warp);
  const unsigned grid = grid_of_tiles(divide_up(warps, kNarrowThreads / 32));
  sort_narrow_segments_kernel<<<grid, kNarrowThreads, 0, stream>>>(arrays, segments, per_warp, lists);
  check_launch("narrow segments kernel");
}

template <class Kernel>
unsigned resident_blocks(Kernel kernel, unsigned threads) {
  int blocks = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<unsigned>(blocks);
}

template <class Arrays>
void launch_wide(const Arrays& arrays, const Segments& segments, const SegmentLists& lists, cudaStream_t stream) {
  const auto kernel = sort_wide_segments_kernel<Arrays>;
  const std::uint64_t most = longer_segment_limit(segments.item_count, segments.segment_count, kNarrowCapacity);
  kernel<<<persistent_grid(most, resident_blocks(kernel, kWideThreads)), kWideThreads, 0, stream>>>(arrays, lists);
  check_launch("wide segments kernel");
}

template <class Arrays>
void launch_giants(const Arrays& arrays, const Segments& segments, const SegmentLists& lists, cudaStream_t stream) {
  const auto kernel = sort_giant_segments_kernel<Arrays>;
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim =
      persistent_grid(divide_up(segments.item_count, kBitonicTile), resident_blocks(kernel, kTileTeam.threads));
  launch.blockDim = kTileTeam.threads;
  launch.stream = stream;
  launch.attrs = &cooperative;
  launch.numAttrs = 1;
  check_cuda(cudaLaunchKernelEx(&launch, kernel, arrays, lists), "giant segments kernel");
}

template <class Arrays>
void launch_segmented_sort(const Arrays& arrays, const Segments& segments, void* scratch, cudaStream_t stream) {
  const SegmentLists lists = segment_scratch(scratch, segments).lists;
  check_cuda(cudaMemsetAsync(lists.counts, 0, sizeof *lists.counts, stream), "clearing the counts of segments");
  launch_narrow(arrays, segments, lists, stream);
  if (segments.item_count > kNarrowCapacity) launch_wide(arrays, segments, lists, stream);
  if (segments.item_count > wide_block_capacity(Arrays::kItemBytes)) launch_giants(arrays, segments, lists, stream);
}

/// Sorts numbers in `order`; `values` is null if Value is NoValue. All keys go through a codec: kernels for keys that
/// need none would double the number of kernels.
template <class Key, class Value>
void segmented_sort(Key* keys, Value* values, const Segments& segments, SortOrder order, void* scratch,
                    cudaStream_t stream) {
  if (segments.segment_count == 0 || segments.item_count < 2) return;
  launch_segmented_sort(bitonic_arrays(as_codes(keys), values, codec_of<Key>(order)), segments, scratch, stream);
}

template <SortKey Key, SortValue Value>
void segmented_sort_pairs(Key* keys, Value* values, const Segments& segments, SortOrder order, void* scratch,
                          cudaStream_t stream) {
  segmented_sort(keys, values, segments, order, scratch, stream);
}

/// Instantiates the sorts of pairs whose values are of this type.
#define SORTIE_SEGMENTED_SORTS_OF_PAIRS(Value)                                                                 \
  template void segmented_sort_pairs(std::uint32_t*, Value*, const Segments&, SortOrder, void*, cudaStream_t); \
  template void segmented_sort_pairs(std::int32_t*, Value*, const Segments&, SortOrder, void*, cudaStream_t);  \
  template void segmented_sort_pairs(float*, Value*, const Segments&, SortOrder, void*, cudaStream_t);         \
  template void segmented_sort_pairs(std::uint64_t*, Value*, const Segments&, SortOrder, void*, cudaStream_t); \
  template void segmented_sort_pairs(std::int64_t*, Value*, const Segments&, SortOrder, void*, cudaStream_t);  \
  template void segmented_sort_pairs(double*, Value*, const Segments&, SortOrder, void*, cudaStream_t);

}  // namespace sortie::kernels
