// Two passes in place of four, for long sorts of pairs whose keys have 4 bytes and are spread well. A bucket is the
// items whose keys share their upper half. The first read counts buckets. If all are small, two passes bring the items
// into buckets, and one block sorts a few buckets at once in shared memory. The items then move three times, not four.
// If some bucket is too large, all digits are sorted by as ever; the count was for nothing.
//
//   counts | bucket 0 | bucket 1 | ... | bucket 65535
//   tiles  | 2^k buckets        | 2^k buckets | ...        each sorted by the lower 16 + k bits
//
// Stehle and Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"
#include "kernels/radix/value_counts.cuh"
#include "kernels/radix/warp_rank.cuh"

namespace sortie::kernels {

inline constexpr unsigned kBucketThreads = 384;
inline constexpr unsigned kBucketItems = 12;  ///< per thread
/// Blocks per multiprocessor: as many as have the shared memory.
template <class Value>
inline constexpr unsigned kBucketBlocks = sizeof(Value) <= 8 ? 3 : 2;
inline constexpr unsigned kBucketTile = kBucketThreads * kBucketItems;
static_assert(kBucketTile >= kMostMeanBucketItems);

/// Lets the buckets be sorted if every tile holds its buckets, and if no digit could be left out. Otherwise the plan
/// stays as it is. Called by all threads of a block, after the plan was made.
__device__ inline void plan_buckets(BucketCounts buckets, RadixPlan& plan) {
  constexpr unsigned kThreadBuckets = kBuckets / kCountThreads;
  __shared__ unsigned warp_sums[kCountThreads / 32];
  const unsigned first = threadIdx.x * kThreadBuckets;
  const unsigned tile_buckets = 1u << buckets.log2_tile_buckets;
  unsigned sum = 0;
  unsigned in_tile = 0;
  bool is_too_large = false;
  for (unsigned i = 0; i < kThreadBuckets; ++i) {
    const auto count = static_cast<unsigned>(__ldcg(&buckets.counts.values[first + i]));
    sum += count;
    in_tile = i % tile_buckets == 0 ? count : in_tile + count;
    is_too_large |= in_tile > kBucketTile;
  }
  const bool is_left_out = plan.passes[kLeadingDigits].count < sizeof(std::uint32_t);
  if (__syncthreads_or(is_too_large || is_left_out) != 0) return;
  const unsigned inclusive = warp_inclusive_sum(sum);
  if (threadIdx.x % 32 == 31) warp_sums[threadIdx.x / 32] = inclusive;
  __syncthreads();
  unsigned begin = inclusive - sum;
  for (unsigned w = 0; w < threadIdx.x / 32; ++w) begin += warp_sums[w];
  for (unsigned i = 0; i < kThreadBuckets; ++i) {
    buckets.begins[first + i] = begin;
    begin += static_cast<unsigned>(__ldcg(&buckets.counts.values[first + i]));
  }
  if (threadIdx.x != kCountThreads - 1) return;
  buckets.begins[kBuckets] = begin;
  plan.passes[kLeadingDigits] = {{2, 3}, 2};
  plan.sorts_buckets = 1;
}

/// Shared memory of a block.
template <class Key, class Value>
struct BucketShared {
  static constexpr unsigned kWarps = kBucketThreads / 32;

  alignas(16) Value values[kBucketTile];  ///< in the order in which they came
  Key keys[kBucketTile];
  unsigned warp_counts[kWarps][kRadixBins];  ///< counts; then the place of each warp's first item per bin
  unsigned scan_sums[kRadixBins / 32];
  std::uint16_t places[kBucketTile];  ///< where each key's value is
};

/// Sorts one tile in place.
template <class Key, class Value, class Codec>
class BucketSort {
 public:
  using Shared = BucketShared<Key, Value>;

  __device__ BucketSort(Key* keys, Value* values, unsigned count, const Codec& codec, Shared& shared)
      : keys_in_(keys), values_in_(values), count_(count), codec_(codec), shared_(shared) {}

  __device__ void run(BitRange bits) {
    load();
    const unsigned digits = radix_digit_count(bits);
    for (unsigned i = 0; i < digits; ++i) {
      if (i > 0) take_back();
      sort_by(radix_digit(bits, i));
    }
    store();
  }

 private:
  /// Where item k of this thread is in the tile.
  __device__ unsigned place(unsigned k) const { return warp_ * 32 * kBucketItems + 32 * k + lane_; }

  /// Items past the end get the highest code, so that they rank last.
  __device__ void load() {
#pragma unroll
    for (unsigned k = 0; k < kBucketItems; ++k) {
      keys_[k] = place(k) < count_ ? codec_.encode(keys_in_[place(k)]) : static_cast<Key>(~Key{0});
      places_[k] = place(k);
    }
    Value values[kBucketItems];
#pragma unroll
    for (unsigned k = 0; k < kBucketItems; ++k) {
      if (place(k) < count_) values[k] = values_in_[place(k)];
    }
#pragma unroll
    for (unsigned k = 0; k < kBucketItems; ++k) {
      if (place(k) < count_) shared_.values[place(k)] = values[k];
    }
  }

  __device__ void take_back() {
#pragma unroll
    for (unsigned k = 0; k < kBucketItems; ++k) {
      keys_[k] = shared_.keys[place(k)];
      places_[k] = shared_.places[place(k)];
    }
  }

  __device__ void sort_by(RadixDigit digit) {
    for (unsigned bin = lane_; bin < kRadixBins; bin += 32) shared_.warp_counts[warp_][bin] = 0;
    __syncwarp();
    unsigned ranks[kBucketItems];
    rank_in_warp<kBucketItems>(keys_, digit, shared_.warp_counts[warp_], ranks);
    __syncthreads();
    place_bins();
#pragma unroll
    for (unsigned k = 0; k < kBucketItems; ++k) {
      const unsigned to = ranks[k] + shared_.warp_counts[warp_][digit.of(keys_[k])];
      shared_.keys[to] = keys_[k];
      shared_.places[to] = static_cast<std::uint16_t>(places_[k]);
    }
    __syncthreads();
  }

  /// Thread b turns the warps' counts of bin b into places in the tile.
  __device__ void place_bins() {
    const unsigned bin = threadIdx.x;
    unsigned counts[Shared::kWarps];
    unsigned count = 0;
    unsigned inclusive = 0;
    if (bin < kRadixBins) {
#pragma unroll
      for (unsigned w = 0; w < Shared::kWarps; ++w) {
        counts[w] = shared_.warp_counts[w][bin];
        count += counts[w];
      }
      inclusive = warp_inclusive_sum(count);
      if (lane_ == 31) shared_.scan_sums[warp_] = inclusive;
    }
    __syncthreads();
    if (bin < kRadixBins) {
      unsigned next = inclusive - count;
      for (unsigned w = 0; w < warp_; ++w) next += shared_.scan_sums[w];
#pragma unroll
      for (unsigned w = 0; w < Shared::kWarps; ++w) {
        shared_.warp_counts[w][bin] = next;
        next += counts[w];
      }
    }
    __syncthreads();
  }

  __device__ void store() const {
#pragma unroll
    for (unsigned k = 0; k < kBucketItems; ++k) {
      const unsigned i = threadIdx.x + k * kBucketThreads;
      if (i >= count_) break;
      keys_in_[i] = codec_.decode(shared_.keys[i]);
      values_in_[i] = shared_.values[shared_.places[i]];
    }
  }

  Key* const keys_in_;
  Value* const values_in_;
  const unsigned count_;
  const Codec& codec_;
  Shared& shared_;
  const unsigned warp_ = threadIdx.x / 32;
  const unsigned lane_ = threadIdx.x % 32;
  Key keys_[kBucketItems];
  unsigned places_[kBucketItems];
};

/// Sorts the buckets of a tile, a block each, if the plan says so. The passes before have left them in the primary
/// arrays.
template <class Key, class Value, class Codec>
__global__ void __launch_bounds__(kBucketThreads, kBucketBlocks<Value>)
    radix_bucket_sort_kernel(const __grid_constant__ RadixArrays<Key, Value> arrays,
                             const __grid_constant__ Codec codec, BucketCounts buckets, const RadixPlan* plan) {
  extern __shared__ __align__(16) unsigned char bucket_bytes[];
  await_launch_before();
  if (plan->sorts_buckets == 0) return;
  const unsigned begin = buckets.begins[blockIdx.x << buckets.log2_tile_buckets];
  const unsigned end = buckets.begins[(blockIdx.x + 1) << buckets.log2_tile_buckets];
  auto& shared = *reinterpret_cast<BucketShared<Key, Value>*>(bucket_bytes);
  BucketSort<Key, Value, Codec>(arrays.keys + begin, arrays.values + begin, end - begin, codec, shared)
      .run({0, kBucketBits + buckets.log2_tile_buckets});
}

}  // namespace sortie::kernels
