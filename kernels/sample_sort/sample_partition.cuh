// Moves the items of a sample sort to their buckets, in one launch whose blocks all run at once: each counts the items
// of its tile in each bucket, waits until all have, and adds up what lies before its own.
//
//   in     | tile 0 | tile 1 | ...                 a block's items, in its registers
//   out    | bucket 0: tile 0, tile 1, ... | bucket 1: tile 0, tile 1, ... | ...
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"
#include "kernels/radix/warp_rank.cuh"
#include "kernels/sample_sort/sample_sort_plan.hpp"

namespace sortie::kernels {

struct PartitionShared {
  static constexpr unsigned kWarps = kPartitionThreads / 32;

  std::uint64_t splitter_keys[kMostSampleBuckets];
  std::uint32_t splitter_positions[kMostSampleBuckets];
  unsigned warp_counts[kWarps][kMostSampleBuckets];  ///< counts; then those of the warps before
  unsigned targets[kMostSampleBuckets];              ///< where the tile's part of each bucket goes
  unsigned scan_sums[kWarps];
};

/// Waits until all blocks of the launch have called this; what they wrote before is then seen by reads past this
/// block's cache. All of them must run at once. `arrived` is zero before the launch.
__device__ inline void await_all_blocks(std::uint32_t* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*static_cast<volatile std::uint32_t*>(arrived) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

/// One block's part: tile number blockIdx.x.
template <class Key, class Value, class Codec, unsigned kItems>
class SamplePartition {
 public:
  __device__ SamplePartition(const RadixArrays<Key, Value>& arrays, const Codec& codec, unsigned count, BitRange bits,
                             const SampleSortScratch& scratch, PartitionShared& shared)
      : arrays_(arrays), codec_(codec), count_(count), bits_(bits), scratch_(scratch), shared_(shared) {}

  __device__ void run() {
    clear_counts();
    await_launch_before();
    load();
    find_buckets();
    unsigned ranks[kItems];
    rank_in_warp<kItems>(buckets_, {0, kMostSampleBuckets - 1}, shared_.warp_counts[warp_], ranks);
    __syncthreads();
    leave_counts();
    await_all_blocks(scratch_.blocks_arrived);
    Value values[kHasValue<Value> ? kItems : 1];
    if constexpr (kHasValue<Value>) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) values[k] = index(k) < count_ ? arrays_.values[index(k)] : Value{};
    }
    find_targets();
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (index(k) >= count_) break;
      const unsigned to = ranks[k] + shared_.targets[buckets_[k]] + shared_.warp_counts[warp_][buckets_[k]];
      arrays_.alternate_keys[to] = keys_[k];
      if constexpr (kHasValue<Value>) arrays_.alternate_values[to] = values[k];
    }
  }

 private:
  static constexpr unsigned kTile = kPartitionThreads * kItems;

  __device__ unsigned index(unsigned k) const { return blockIdx.x * kTile + warp_ * 32 * kItems + 32 * k + lane_; }

  __device__ void clear_counts() {
    for (unsigned i = threadIdx.x; i < PartitionShared::kWarps * kMostSampleBuckets; i += kPartitionThreads) {
      shared_.warp_counts[i / kMostSampleBuckets][i % kMostSampleBuckets] = 0;
    }
  }

  __device__ void load() {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) keys_[k] = index(k) < count_ ? arrays_.keys[index(k)] : Key{};
    if (threadIdx.x + 1 < scratch_.buckets) {
      shared_.splitter_keys[threadIdx.x] = scratch_.splitters.keys[threadIdx.x];
      shared_.splitter_positions[threadIdx.x] = scratch_.splitters.positions[threadIdx.x];
    }
    __syncthreads();
  }

  /// The bucket of an item is the number of splitters that do not come after it. Places past the end are in the last.
  __device__ void find_buckets() {
    std::uint64_t ordered[kItems];
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      ordered[k] = ordered_bits(bits_, codec_.encode(keys_[k]));
      buckets_[k] = 0;
    }
    for (unsigned step = scratch_.buckets / 2; step > 0; step /= 2) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        const unsigned at = buckets_[k] + step - 1;
        const std::uint64_t key = shared_.splitter_keys[at];
        const bool is_before = key < ordered[k] || (key == ordered[k] && shared_.splitter_positions[at] <= index(k));
        buckets_[k] += is_before ? step : 0;
      }
    }
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (index(k) >= count_) buckets_[k] = scratch_.buckets - 1;
    }
  }

  /// Thread b turns the warps' counts of bucket b into sums of those before them, and leaves the tile's count.
  __device__ void leave_counts() {
    const unsigned b = threadIdx.x;
    if (b >= scratch_.buckets) return;
    unsigned count = 0;
#pragma unroll
    for (unsigned w = 0; w < PartitionShared::kWarps; ++w) {
      const unsigned count_of_warp = shared_.warp_counts[w][b];
      shared_.warp_counts[w][b] = count;
      count += count_of_warp;
    }
    const unsigned end = (blockIdx.x + 1) * kTile;
    if (b + 1 == scratch_.buckets && end > count_) count -= end - count_;
    scratch_.tile_counts[blockIdx.x * scratch_.buckets + b] = static_cast<std::uint16_t>(count);
    atomicAdd(&scratch_.group_counts[blockIdx.x / kGroupTiles * scratch_.buckets + b], count);
  }

  /// Thread b finds where the tile's part of bucket b goes.
  __device__ void find_targets() {
    const unsigned b = threadIdx.x;
    unsigned before = 0;
    unsigned total = 0;
    if (b < scratch_.buckets) {
      const unsigned own_group = blockIdx.x / kGroupTiles;
      // All reads are under way at once.
#pragma unroll
      for (unsigned g = 0; g < kMostGroups; ++g) {
        const unsigned count = g < scratch_.groups() ? __ldcg(&scratch_.group_counts[g * scratch_.buckets + b]) : 0;
        before += g < own_group ? count : 0;
        total += count;
      }
#pragma unroll
      for (unsigned i = 0; i < kGroupTiles; ++i) {
        const unsigned t = own_group * kGroupTiles + i;
        before += t < blockIdx.x ? __ldcg(&scratch_.tile_counts[t * scratch_.buckets + b]) : 0;
      }
    }
    const unsigned inclusive = warp_inclusive_sum(total);
    if (lane_ == 31) shared_.scan_sums[warp_] = inclusive;
    __syncthreads();
    unsigned begin = inclusive - total;
    for (unsigned w = 0; w < warp_; ++w) begin += shared_.scan_sums[w];
    if (b < scratch_.buckets) {
      shared_.targets[b] = begin + before;
      if (blockIdx.x == 0) scratch_.begins[b] = begin;
      if (blockIdx.x == 0 && b == 0) scratch_.begins[scratch_.buckets] = count_;
    }
    __syncthreads();
  }

  const RadixArrays<Key, Value>& arrays_;
  const Codec& codec_;
  const unsigned count_;
  const BitRange bits_;
  const SampleSortScratch& scratch_;
  PartitionShared& shared_;
  const unsigned warp_ = threadIdx.x / 32;
  const unsigned lane_ = threadIdx.x % 32;
  Key keys_[kItems];
  unsigned buckets_[kItems];
};

template <class Key, class Value, class Codec, unsigned kItems>
__global__ void __launch_bounds__(kPartitionThreads, 2)
    sample_partition_kernel(const __grid_constant__ RadixArrays<Key, Value> arrays, const __grid_constant__ Codec codec,
                            unsigned count, BitRange bits, const __grid_constant__ SampleSortScratch scratch) {
  __shared__ PartitionShared shared;
  static_assert(kMostSampleBuckets <= kPartitionThreads, "a thread for each bucket");
  SamplePartition<Key, Value, Codec, kItems>(arrays, codec, count, bits, scratch, shared).run();
}

}  // namespace sortie::kernels
