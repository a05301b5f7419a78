// Sorts groups of items that agree in the sorted digits and that no single thread could sort: each gets a block.
// See radix_repair.cuh.
#pragma once

#include <cstdint>

#include "kernels/radix/radix_group_bounds.cuh"
#include "kernels/radix/warp_rank.cuh"

namespace sortie::kernels {

inline constexpr unsigned kGroupThreads = 256;
inline constexpr unsigned kGroupBlocks = 8;  ///< per multiprocessor
static_assert(kGroupThreads == kRadixBins);

struct GroupSortShared {
  static constexpr unsigned kWarps = kGroupThreads / 32;
  unsigned warp_counts[kWarps][kRadixBins];
  unsigned next_positions[kRadixBins];  ///< position in the group of each bin's next item
  unsigned scan_sums[kWarps];
};

/// Sorts a group in one block, least significant digit first. Each pass moves it to the same position in the other
/// arrays.
template <class Key, class Value, class Codec>
class GroupSort {
 public:
  __device__ GroupSort(const RadixArrays<Key, Value>& from, const RadixArrays<Key, Value>& to, unsigned count,
                       BitRange bits, Codec codec, GroupSortShared& shared)
      : from_(from), to_(to), count_(count), bits_(bits), codec_(codec), shared_(shared) {}

  /// One pass by one digit.
  __device__ void sort_by(unsigned digit_index) {
    const RadixDigit digit = radix_digit(bits_, digit_index);
    count_bins(digit);
    for (unsigned begin = 0; begin < count_; begin += kGroupThreads) move_items(begin, digit);
  }

 private:
  __device__ void count_bins(RadixDigit digit) {
    const unsigned bin = threadIdx.x;
    shared_.next_positions[bin] = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count_; i += kGroupThreads) {
      atomicAdd(&shared_.next_positions[digit.of(codec_.encode(from_.keys[i]))], 1u);
    }
    __syncthreads();
    const unsigned bin_count = shared_.next_positions[bin];
    const unsigned inclusive = warp_inclusive_sum(bin_count);
    if (bin % 32 == 31) shared_.scan_sums[bin / 32] = inclusive;
    __syncthreads();
    unsigned before = inclusive - bin_count;
    for (unsigned w = 0; w < bin / 32; ++w) before += shared_.scan_sums[w];
    shared_.next_positions[bin] = before;
    for (unsigned w = 0; w < GroupSortShared::kWarps; ++w) shared_.warp_counts[w][bin] = 0;
    __syncthreads();
  }

  /// Moves items from `begin` on, one per thread. Threads past the end count in the highest bin, behind all others.
  __device__ void move_items(unsigned begin, RadixDigit digit) {
    const unsigned i = begin + threadIdx.x;
    const unsigned warp = threadIdx.x / 32;
    const Key keys[1] = {i < count_ ? codec_.encode(from_.keys[i]) : static_cast<Key>(~Key{0})};
    unsigned ranks[1];
    rank_in_warp<1>(keys, digit, shared_.warp_counts[warp], ranks);
    __syncthreads();
    unsigned next = shared_.next_positions[threadIdx.x];
    for (unsigned w = 0; w < GroupSortShared::kWarps; ++w) {
      const unsigned warp_count = shared_.warp_counts[w][threadIdx.x];
      shared_.warp_counts[w][threadIdx.x] = next;
      next += warp_count;
    }
    shared_.next_positions[threadIdx.x] = next;
    __syncthreads();
    if (i < count_) {
      const unsigned position = ranks[0] + shared_.warp_counts[warp][digit.of(keys[0])];
      to_.keys[position] = codec_.decode(keys[0]);
      if constexpr (kHasValue<Value>) to_.values[position] = from_.values[i];
    }
    __syncthreads();
    for (unsigned w = 0; w < GroupSortShared::kWarps; ++w) shared_.warp_counts[w][threadIdx.x] = 0;
    __syncthreads();
  }

  const RadixArrays<Key, Value>& from_;
  const RadixArrays<Key, Value>& to_;
  const unsigned count_;
  const BitRange bits_;
  const Codec codec_;
  GroupSortShared& shared_;
};

template <class Key>
struct RankShared {
  Key keys[kGroupThreads];
};

/// Each thread has an item, and counts the items of the group that belong before it.
template <class Key, class Value, class Codec>
__device__ void sort_by_ranks(const RadixArrays<Key, Value>& group, unsigned count, const GroupOrder<Key>& order,
                              Codec codec, RankShared<Key>& shared) {
  const unsigned i = threadIdx.x;
  Key key{};
  Value value{};
  if (i < count) {
    key = codec.encode(group.keys[i]);
    if constexpr (kHasValue<Value>) value = group.values[i];
    shared.keys[i] = key;
  }
  __syncthreads();
  if (i < count) {
    unsigned rank = 0;
    for (unsigned other = 0; other < i; ++other) rank += order.less(key, shared.keys[other]) ? 0 : 1;
    for (unsigned other = i + 1; other < count; ++other) rank += order.less(shared.keys[other], key) ? 1 : 0;
    group.keys[rank] = codec.decode(key);
    if constexpr (kHasValue<Value>) group.values[rank] = value;
  }
  __syncthreads();
}

template <class Key, class Value, class Codec>
__global__ void __launch_bounds__(kGroupThreads)
    radix_group_sort_kernel(RadixArrays<Key, Value> arrays, SampleVerdict verdict, Codec codec, RadixGroups groups,
                            RadixPlan* plan) {
  __shared__ union {
    GroupSortShared digits;
    RankShared<Key> ranks;
  } shared;
  if (plan->failed != 0) return;
  const bool alternate = in_alternate(*plan);
  const GroupOrder<Key> order(verdict, *plan);
  const unsigned left_out = varying_digits(verdict.bits, plan->ones, plan->zeros) & ~verdict.leading_digits(*plan);
  for (std::uint32_t g = blockIdx.x; g < plan->group_count; g += gridDim.x) {
    const RadixGroup group = groups.list[g];
    const auto count = static_cast<unsigned>(group.end - group.begin);
    GroupArrays<Key, Value> items = group_arrays(arrays, group, alternate);
    if (count <= kGroupThreads) {
      sort_by_ranks(items.from, count, order, codec, shared.ranks);
      continue;
    }
    unsigned passes = 0;
    for (unsigned digit = 0; digit < radix_digit_count(verdict.bits); ++digit) {
      if ((left_out >> digit & 1) == 0) continue;
      GroupSort<Key, Value, Codec>(items.from, items.to, count, verdict.bits, codec, shared.digits).sort_by(digit);
      items.swap();
      ++passes;
    }
    if (passes % 2 == 0) continue;
    for (unsigned i = threadIdx.x; i < count; i += kGroupThreads) {
      items.to.keys[i] = items.from.keys[i];
      if constexpr (kHasValue<Value>) items.to.values[i] = items.from.values[i];
    }
    __syncthreads();
  }
}

}  // namespace sortie::kernels
