// The last step of a sample select before the sorts: items go to the bucket whose end is the first one not before them,
// in any order.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/sample_selection.cuh"

namespace sortie::kernels {

inline constexpr unsigned kFillItems = 4;   ///< a thread
inline constexpr unsigned kFillBlocks = 2;  ///< per multiprocessor
inline constexpr unsigned kFillTile = kSampleSelectThreads * kFillItems;

template <class Placed>
struct FillShared {
  Placed ends[kMostSelectBuckets];
  unsigned counts[kMostSelectBuckets];   ///< of the tile
  unsigned targets[kMostSelectBuckets];  ///< places in the buckets that the tile's items take
};

/// The first bucket whose end is not before `item`; `buckets` if there is none.
template <class Placed>
__device__ unsigned bucket_of(const Placed* ends, unsigned buckets, const Placed& item) {
  unsigned low = 0;
  unsigned high = buckets;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (ends[middle] < item) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Puts the items of a tile into buckets. Called by a whole block; contains barriers.
template <class Selection, class Items>
__device__ void fill_from_tile(const Selection& selection, const Items& items, std::uint64_t first, unsigned buckets,
                               FillShared<typename Selection::Placed>& shared) {
  using Placed = typename Selection::Placed;
  Placed placed[kFillItems];
#pragma unroll
  for (unsigned k = 0; k < kFillItems; ++k) {
    const std::uint64_t i = first + k * kSampleSelectThreads + threadIdx.x;
    placed[k] = i < items.size() ? items[i] : Placed::largest();
  }
  for (unsigned b = threadIdx.x; b < buckets; b += kSampleSelectThreads) shared.counts[b] = 0;
  __syncthreads();
  unsigned bucket[kFillItems];
  unsigned rank[kFillItems];
#pragma unroll
  for (unsigned k = 0; k < kFillItems; ++k) {
    const bool is_there = first + k * kSampleSelectThreads + threadIdx.x < items.size();
    bucket[k] =
        !is_there || shared.ends[buckets - 1] < placed[k] ? buckets : bucket_of(shared.ends, buckets - 1, placed[k]);
    if (bucket[k] < buckets) rank[k] = atomicAdd(&shared.counts[bucket[k]], 1U);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < buckets; b += kSampleSelectThreads) {
    if (shared.counts[b] != 0) shared.targets[b] = atomicAdd(&selection.areas.bucket_items[b], shared.counts[b]);
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kFillItems; ++k) {
    if (bucket[k] >= buckets) continue;
    const unsigned place = shared.targets[bucket[k]] + rank[k];
    if (place >= Selection::kBucketCapacity) continue;
    selection.areas.buckets[std::uint64_t{bucket[k]} * Selection::kBucketCapacity + place] = placed[k];
  }
}

template <class Selection>
__device__ void fill_buckets(const Selection& selection, const BlockPart& part,
                             FillShared<typename Selection::Placed>& shared) {
  selection.with_items(selection.filters, [&](const auto& items) {
    const unsigned buckets = selection.ends(selection.filters, items.size()).buckets;
    const typename Selection::Candidates ends{selection.areas.splitters, buckets};
    for (unsigned b = threadIdx.x; b < buckets; b += kSampleSelectThreads) shared.ends[b] = ends[b];
    if (buckets == 0) return;
    const std::uint64_t stride = std::uint64_t{part.count} * kFillTile;
    for (std::uint64_t first = std::uint64_t{part.index} * kFillTile; first < items.size(); first += stride) {
      fill_from_tile(selection, items, first, buckets, shared);
    }
  });
}

template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kSampleSelectThreads, kFillBlocks)
    fill_buckets_kernel(const __grid_constant__ SampleSelection<Bits, Codec, Position> selection) {
  __shared__ FillShared<PlacedCode<Bits, Position>> shared;
  await_launch_before();
  fill_buckets(selection, {blockIdx.x, gridDim.x}, shared);
}

}  // namespace sortie::kernels
