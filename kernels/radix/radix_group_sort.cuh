// Groups of items that agree in the digits sorted by and that no single thread could sort: their ends are
// found, and each gets a block. See radix_repair.cuh.
#pragma once

#include <cstdint>

#include "kernels/radix/radix_repair.cuh"
#include "kernels/radix/warp_rank.cuh"

namespace sortie::kernels {

inline constexpr unsigned kGroupThreads = 256;
inline constexpr unsigned kGroupBlocks = 8;  ///< per multiprocessor
static_assert(kGroupThreads == kRadixBins);

/// From the item at `at` on, how many further ones in the direction of `step` (1 or -1) are in its group,
/// as the whole block finds it; kLongestGroup or more if there are that many. Of what is asked about each
/// item, `stop` ends the walk at once and for the whole block.
template <class Key, class Codec, class Stop>
__device__ std::uint64_t group_reach(const CodedKeys<Key, Codec>& keys, std::uint64_t count, std::uint64_t at, int step,
                                     const GroupOrder<Key>& order, const Stop& stop, bool& stopped) {
  const std::uint64_t room = step > 0 ? count - 1 - at : at;
  const Key key = keys[at];
  for (std::uint64_t reach = 0; reach < kLongestGroup; reach += kGroupThreads) {
    const std::uint64_t distance = reach + threadIdx.x + 1;
    const std::uint64_t i = step > 0 ? at + distance : at - distance;
    const bool inside = distance <= room && order.same_group(key, keys[i]);
    stopped = __syncthreads_or(inside && stop(i)) != 0;
    if (stopped) return reach;
    const unsigned inside_count = __syncthreads_count(inside);
    if (inside_count < kGroupThreads) return reach + inside_count;
  }
  return kLongestGroup;
}

/// One finding a block, as they come. The first descent of a group is the one that speaks for it.
template <class Key, class Codec>
__global__ void __launch_bounds__(kGroupThreads)
    radix_resolve_kernel(const Key* primary, const Key* alternate, std::uint64_t count, SampleVerdict verdict,
                         Codec codec, const std::uint64_t* findings, std::uint32_t capacity, RadixGroup* groups,
                         RadixPlan* plan) {
  const std::uint32_t finding_count = plan->finding_count;
  if (finding_count == 0 || finding_count > capacity) return;
  const CodedKeys<Key, Codec> keys{in_alternate(*plan) ? alternate : primary, codec};
  const GroupOrder<Key> order(verdict, *plan);
  for (std::uint32_t f = blockIdx.x; f < finding_count; f += gridDim.x) {
    const std::uint64_t at = findings[f];
    bool spoken_for = false;
    const auto descends = [&](std::uint64_t i) {
      return i > 0 && order.less(keys[i], keys[i - 1]) && order.same_group(keys[i], keys[i - 1]);
    };
    const std::uint64_t back = group_reach(keys, count, at, -1, order, descends, spoken_for);
    if (spoken_for) continue;
    const auto never = [](std::uint64_t) { return false; };
    const std::uint64_t forth = group_reach(keys, count, at, 1, order, never, spoken_for);
    if (threadIdx.x != 0) continue;
    if (back + forth >= kLongestGroup) {
      plan->failed = 1;
    } else {
      groups[atomicAdd(&plan->group_count, 1u)] = {at - back, at + forth + 1};
    }
  }
}

struct GroupSortShared {
  static constexpr unsigned kWarps = kGroupThreads / 32;
  unsigned warp_counts[kWarps][kRadixBins];
  unsigned next_places[kRadixBins];  ///< in the group, of each bin's next item
  unsigned scan_sums[kWarps];
};

/// Least significant digit first, by one block, through the same place in the other arrays.
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
    shared_.next_places[bin] = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count_; i += kGroupThreads) {
      atomicAdd(&shared_.next_places[digit.of(codec_.encode(from_.keys[i]))], 1u);
    }
    __syncthreads();
    const unsigned bin_count = shared_.next_places[bin];
    const unsigned inclusive = warp_inclusive_sum(bin_count);
    if (bin % 32 == 31) shared_.scan_sums[bin / 32] = inclusive;
    __syncthreads();
    unsigned before = inclusive - bin_count;
    for (unsigned w = 0; w < bin / 32; ++w) before += shared_.scan_sums[w];
    shared_.next_places[bin] = before;
    for (unsigned w = 0; w < GroupSortShared::kWarps; ++w) shared_.warp_counts[w][bin] = 0;
    __syncthreads();
  }

  /// Items from `begin` on, one a thread. Threads past the end count in the highest bin, behind all others.
  __device__ void move_items(unsigned begin, RadixDigit digit) {
    const unsigned i = begin + threadIdx.x;
    const unsigned warp = threadIdx.x / 32;
    const Key keys[1] = {i < count_ ? codec_.encode(from_.keys[i]) : static_cast<Key>(~Key{0})};
    unsigned ranks[1];
    rank_in_warp<1>(keys, digit, shared_.warp_counts[warp], ranks);
    __syncthreads();
    unsigned next = shared_.next_places[threadIdx.x];
    for (unsigned w = 0; w < GroupSortShared::kWarps; ++w) {
      const unsigned warp_count = shared_.warp_counts[w][threadIdx.x];
      shared_.warp_counts[w][threadIdx.x] = next;
      next += warp_count;
    }
    shared_.next_places[threadIdx.x] = next;
    __syncthreads();
    if (i < count_) {
      const unsigned place = ranks[0] + shared_.warp_counts[warp][digit.of(keys[0])];
      to_.keys[place] = codec_.decode(keys[0]);
      if constexpr (kHasValue<Value>) to_.values[place] = from_.values[i];
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

template <class Key, class Value>
__device__ void swap_arrays(RadixArrays<Key, Value>& a, RadixArrays<Key, Value>& b) {
  const RadixArrays<Key, Value> was = a;
  a = b;
  b = was;
}

template <class Key, class Value, class Codec>
__global__ void __launch_bounds__(kGroupThreads)
    radix_group_sort_kernel(RadixArrays<Key, Value> arrays, SampleVerdict verdict, Codec codec,
                            const RadixGroup* groups, RadixPlan* plan) {
  __shared__ GroupSortShared shared;
  if (plan->failed != 0) return;
  const bool alternate = in_alternate(*plan);
  const unsigned left_out = varying_digits(verdict.bits, plan->ones, plan->zeros) & ~verdict.leading_digits(*plan);
  for (std::uint32_t g = blockIdx.x; g < plan->group_count; g += gridDim.x) {
    const RadixGroup group = groups[g];
    const auto count = static_cast<unsigned>(group.end - group.begin);
    RadixArrays<Key, Value> from{arrays.keys + group.begin, nullptr, arrays.values + group.begin, nullptr};
    RadixArrays<Key, Value> to{arrays.alternate_keys + group.begin, nullptr, arrays.alternate_values + group.begin,
                               nullptr};
    if (alternate) swap_arrays(from, to);
    unsigned passes = 0;
    for (unsigned digit = 0; digit < radix_digit_count(verdict.bits); ++digit) {
      if ((left_out >> digit & 1) == 0) continue;
      GroupSort<Key, Value, Codec>(from, to, count, verdict.bits, codec, shared).sort_by(digit);
      swap_arrays(from, to);
      ++passes;
    }
    if (passes % 2 == 0) continue;
    for (unsigned i = threadIdx.x; i < count; i += kGroupThreads) {
      to.keys[i] = from.keys[i];
      if constexpr (kHasValue<Value>) to.values[i] = from.values[i];
    }
    __syncthreads();
  }
}

}  // namespace sortie::kernels
