// The last launch of a sample select: each block sorts a bucket and writes what is selected of it. If the sample has
// misled, the last block to see it selects all again by itself, with other samples.
#pragma once

#include <cstdint>

#include <sortie/cuda/block_sort.cuh>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/fill_buckets.cuh"
#include "kernels/select/filter_candidates.cuh"
#include "kernels/select/rank_items.cuh"
#include "kernels/select/select_sample.cuh"

namespace sortie::kernels {

/// Shared memory of each step and of the sorts.
template <class Placed>
union FinishShared {
  __device__ FinishShared() {}

  SampleShared<Placed> sample;
  FilterShared<Placed> filter;
  FillShared<Placed> fill;
  alignas(16) std::byte sort[kBucketBytes];
};

/// What a block must know of all buckets before it sorts one.
struct BucketSums {
  unsigned before;  ///< items of the buckets before this one
  unsigned all;
};

/// Adds up `buckets` buckets. Returns false to the whole block if one was too small, or too few items are in all.
template <class Selection>
__device__ bool add_up_buckets(const Selection& selection, unsigned buckets, unsigned bucket, BucketSums& sums) {
  if (threadIdx.x == 0) sums = {};
  unsigned before = 0;
  unsigned all = 0;
  bool is_full = false;
  for (unsigned b = threadIdx.x; b < buckets; b += kSampleSelectThreads) {
    const unsigned items = __ldcg(selection.areas.bucket_items + b);
    is_full |= items > Selection::kBucketCapacity;
    all += items;
    before += b < bucket ? items : 0;
  }
  before = sum_of_lanes(before);
  all = sum_of_lanes(all);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sums.before, before);
    atomicAdd(&sums.all, all);
  }
  const bool any_full = __syncthreads_or(is_full) != 0;
  return !any_full && sums.all >= selection.selected_count;
}

/// No two items are the same, but for those that fill up a bucket.
struct PlacedOrder {
  static constexpr bool kIsTotal = true;

  template <class Placed>
  __device__ bool operator()(const Placed& a, const Placed& b) const {
    return a < b;
  }
};

/// Sorts the items of a bucket, at most kItems a thread, and writes those that are selected. Called by the first
/// kThreads threads of a block, whose others have left.
template <unsigned kThreads, unsigned kItems, class Selection>
__device__ void sort_bucket(const Selection& selection, const typename Selection::Candidates& items,
                            std::uint64_t before, std::byte* shared) {
  using Placed = typename Selection::Placed;
  using Sort = cuda::BlockBitonicSort<Placed, kThreads, kItems>;
  static_assert(sizeof(typename Sort::Storage) <= kBucketBytes);
  Placed placed[kItems];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned i = k * kThreads + threadIdx.x;
    placed[k] = i < items.size() ? items[i] : Placed::largest();
  }
  Sort(*reinterpret_cast<typename Sort::Storage*>(shared)).sort(placed, PlacedOrder());
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned i = threadIdx.x * kItems + k;
    if (i >= items.size() || before + i >= selection.selected_count) continue;
    selection.write_selected(before + i, placed[k]);
  }
}

template <class Selection>
__device__ typename Selection::Candidates items_of_bucket(const Selection& selection, unsigned bucket) {
  return {selection.areas.buckets + std::uint64_t{bucket} * Selection::kBucketCapacity,
          __ldcg(selection.areas.bucket_items + bucket)};
}

/// Finishes the one bucket of a block; `before` items are in the buckets before it. As few threads stay as hold the
/// items: they wait for each other less, and exchange less.
template <class Selection>
__device__ void finish_bucket(const Selection& selection, unsigned bucket, std::uint64_t before, std::byte* shared) {
  constexpr unsigned kFew = kSampleSelectThreads / 4;
  constexpr unsigned kSome = kSampleSelectThreads / 2;
  constexpr unsigned kCapacity = Selection::kBucketCapacity;
  if (before >= selection.selected_count) return;
  const auto items = items_of_bucket(selection, bucket);
  if (items.size() <= 4 * kFew) {
    if (threadIdx.x < kFew) sort_bucket<kFew, 4>(selection, items, before, shared);
  } else if (items.size() <= 4 * kSome) {
    if (threadIdx.x < kSome) sort_bucket<kSome, 4>(selection, items, before, shared);
  } else if (items.size() <= 8 * kSome) {
    if (threadIdx.x < kSome) sort_bucket<kSome, 8>(selection, items, before, shared);
  } else if constexpr (kCapacity > 8 * kSome) {
    sort_bucket<kSampleSelectThreads, kCapacity / kSampleSelectThreads>(selection, items, before, shared);
  }
}

/// Selects all again with a sample of another seed. Called by one block.
template <class Selection>
__device__ void select_again(const Selection& selection, std::uint64_t seed,
                             FinishShared<typename Selection::Placed>& shared) {
  const BlockPart all{0, 1};
  for (unsigned step = 0; step <= selection.filters; ++step) {
    __syncthreads();
    select_sample(selection, step, seed, all, shared.sample);
    __syncthreads();
    if (step < selection.filters) {
      filter_candidates(selection, step, all, shared.filter);
    } else {
      fill_buckets(selection, all, shared.fill);
    }
  }
  __syncthreads();
}

/// Selects until a sample serves, and finishes all buckets. Seeds come from the clock: nobody can arrange keys around
/// the places that are looked at then. Called by one block.
template <class Selection>
__device__ void finish_alone(const Selection& selection, FinishShared<typename Selection::Placed>& shared) {
  __shared__ BucketSums sums;
  __shared__ std::uint64_t seed;
  unsigned buckets = 0;
  do {
    if (threadIdx.x == 0) seed = scattered(static_cast<std::uint64_t>(clock64()));
    __syncthreads();
    select_again(selection, seed, shared);
    buckets = selection.last_ends().buckets;
  } while (!add_up_buckets(selection, buckets, 0, sums));
  std::uint64_t before = 0;
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    __syncthreads();
    constexpr unsigned kItems = Selection::kBucketCapacity / kSampleSelectThreads;
    const auto items = items_of_bucket(selection, bucket);
    sort_bucket<kSampleSelectThreads, kItems>(selection, items, before, shared.sort);
    before += items.size();
  }
}

/// Whether all other blocks of the launch have seen that the sample misled, too: what they looked at may change then.
template <class Selection>
__device__ bool is_last_to_fail(const Selection& selection) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(selection.areas.failed_blocks, 1U) + 1 == gridDim.x;
  }
  __syncthreads();
  return is_last;
}

template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kSampleSelectThreads)
    finish_buckets_kernel(const __grid_constant__ SampleSelection<Bits, Codec, Position> selection) {
  __shared__ FinishShared<PlacedCode<Bits, Position>> shared;
  __shared__ BucketSums sums;
  await_launch_before();
  const unsigned buckets = selection.last_ends().buckets;
  if (add_up_buckets(selection, buckets, blockIdx.x, sums)) {
    if (blockIdx.x < buckets) finish_bucket(selection, blockIdx.x, sums.before, shared.sort);
  } else if (is_last_to_fail(selection)) {
    finish_alone(selection, shared);
  }
}

}  // namespace sortie::kernels
