// The first launch of a step of a sample select: looks at a sample and finds the items at which buckets end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/rank_items.cuh"
#include "kernels/select/sample_selection.cuh"

namespace sortie::kernels {

inline constexpr unsigned kSampleBlocks = kSampleSize / kRankedTogether;

/// Writes `item` of the sample to where the bucket that it ends has its end, if it ends one.
template <class Placed>
__device__ void put_bucket_end(const BucketEnds& ends, unsigned rank, const Placed& item, Placed* splitters) {
  const unsigned from_one = rank + 1;
  if (from_one > ends.last || (from_one != ends.last && from_one % ends.step != 0)) return;
  splitters[rank / ends.step] = from_one == kSampleSize ? Placed::largest() : item;
}

/// Clears what the launches after this one add to.
template <class Selection>
__device__ void clear_counts(const Selection& selection, unsigned step, unsigned buckets) {
  if (step < selection.filters) {
    if (threadIdx.x == 0) selection.areas.candidate_counts[step] = 0;
    return;
  }
  if (threadIdx.x == 0) *selection.areas.failed_blocks = 0;
  for (unsigned i = threadIdx.x; i < buckets; i += kSampleSelectThreads) selection.areas.bucket_items[i] = 0;
}

/// Shared memory for ranks of either kind of items.
template <class Placed>
struct SampleShared {
  alignas(TableRanks<Placed>) std::byte memory[sizeof(TableRanks<Placed>)];

  template <class Key>
  __device__ TableRanks<Key>& ranks() {
    static_assert(sizeof(Key) <= sizeof(Placed));
    return *reinterpret_cast<TableRanks<Key>*>(memory);
  }
};

/// Finds the ends of buckets. `shared` may have held anything, behind a barrier.
template <class Selection>
__device__ void select_sample(const Selection& selection, unsigned step, std::uint64_t seed, const BlockPart& part,
                              SampleShared<typename Selection::Placed>& shared) {
  constexpr unsigned kOwn = kSampleSize / kSampleSelectThreads;
  selection.with_items(step, [&]<class Items>(const Items& items) {
    using Ranked = typename Items::Ranked;
    TableRanks<Ranked>& ranks = shared.template ranks<Ranked>();
    const std::uint64_t count = items.size();
    const BucketEnds ends = selection.ends(step, count);
    if (part.index == 0) clear_counts(selection, step, ends.buckets);
    if (count == 0) return;
    Ranked own[kOwn];
#pragma unroll
    for (unsigned k = 0; k < kOwn; ++k) {
      own[k] = items.ranked(select_sample_position(k * kSampleSelectThreads + threadIdx.x, count, seed));
    }
    for (unsigned first = part.index * kRankedTogether; first < kSampleSize; first += part.count * kRankedTogether) {
      rank_items<kSampleSelectThreads>(own, first, ranks);
      if (threadIdx.x >= kRankedTogether) continue;
      const std::uint64_t position = select_sample_position(first + threadIdx.x, count, seed);
      put_bucket_end(ends, ranks.rank(threadIdx.x), items.item(position, ranks.keys[threadIdx.x]),
                     selection.areas.splitters);
    }
  });
}

template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kSampleSelectThreads)
    select_sample_kernel(const __grid_constant__ SampleSelection<Bits, Codec, Position> selection, unsigned step) {
  __shared__ SampleShared<PlacedCode<Bits, Position>> shared;
  await_launch_before();
  select_sample(selection, step, 0, {blockIdx.x, gridDim.x}, shared);
}

}  // namespace sortie::kernels
