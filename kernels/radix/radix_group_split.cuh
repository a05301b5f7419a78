// Long groups of items that agree in the sorted digits mostly hold one frequent key with rare ones among it. A block
// splits such a group, stably, by the key that is the most frequent in a warp's sample: smaller keys go to the front,
// larger ones to the end. Only those two parts remain to be sorted, as groups of their own. See radix_repair.cuh.
#pragma once

#include <cstdint>

#include "kernels/radix/radix_group_bounds.cuh"
#include "kernels/radix/warp_rank.cuh"

namespace sortie::kernels {

inline constexpr unsigned kSplitThreads = 1024;
inline constexpr unsigned kSplitItems = 8;   ///< items of a tile per thread
inline constexpr unsigned kSplitBlocks = 2;  ///< per multiprocessor
inline constexpr unsigned kSplitWarps = kSplitThreads / 32;
static_assert(kSplitWarps == 32, "a lane for each warp");

/// The sides: before the pivot, equal to it, behind it.
inline constexpr unsigned kSides = 3;

template <class Key>
struct SplitShared {
  Key pivot;
  unsigned warp_counts[kSides][kSplitWarps];  ///< counts of a tile's items; then the position in the group of each
                                              ///< warp's first item
  unsigned next_positions[kSides];            ///< next free position of each side in the group
};

template <class Key, class Value, class Codec>
class GroupSplit {
 public:
  __device__ GroupSplit(const RadixArrays<Key, Value>& from, const RadixArrays<Key, Value>& to, unsigned count,
                        const GroupOrder<Key>& order, Codec codec, SplitShared<Key>& shared)
      : from_(from), to_(to), count_(count), order_(order), codec_(codec), shared_(shared) {}

  /// Splits the group in place. Sets the lengths of its sides in the block's first thread.
  __device__ void run(unsigned (&lengths)[kSides]) {
    choose_pivot();
    count_sides(lengths);
    for (unsigned begin = 0; begin < count_; begin += kSplitThreads * kSplitItems) move_tile(begin);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count_; i += kSplitThreads) {
      from_.keys[i] = to_.keys[i];
      if constexpr (kHasValue<Value>) from_.values[i] = to_.values[i];
    }
    __syncthreads();
  }

 private:
  __device__ void choose_pivot() {
    if (threadIdx.x < 32) {
      const Key key = codec_.encode(from_.keys[static_cast<unsigned>(std::uint64_t{count_} * threadIdx.x / 32)]);
      const unsigned alike = __popc(__match_any_sync(~0u, key & order_.ordered));
      if (warp_max(alike << 5 | threadIdx.x) % 32 == threadIdx.x) shared_.pivot = key;
    }
    __syncthreads();
  }

  __device__ unsigned side_of(Key key) const {
    if (order_.less(key, shared_.pivot)) return 0;
    return order_.less(shared_.pivot, key) ? 2 : 1;
  }

  __device__ void count_sides(unsigned (&lengths)[kSides]) {
    unsigned counts[kSides] = {};
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < count_; i += kSplitThreads) {
      const unsigned side = side_of(codec_.encode(from_.keys[i]));
#pragma unroll
      for (unsigned s = 0; s < kSides; ++s) counts[s] += side == s ? 1 : 0;
    }
#pragma unroll
    for (unsigned s = 0; s < kSides; ++s) {
      const unsigned sum = warp_sum(counts[s]);
      if (threadIdx.x % 32 == 0) shared_.warp_counts[s][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
      unsigned before = 0;
#pragma unroll
      for (unsigned s = 0; s < kSides; ++s) {
        lengths[s] = warp_sum(shared_.warp_counts[s][threadIdx.x]);
        if (threadIdx.x == 0) shared_.next_positions[s] = before;
        before += lengths[s];
      }
    }
    __syncthreads();
  }

  /// Moves items from `begin` on. Item k of lane l is the (32 k + l)-th of the warp's part of the tile.
  __device__ void move_tile(unsigned begin) {
    const unsigned warp = threadIdx.x / 32;
    const unsigned first = begin + warp * 32 * kSplitItems + threadIdx.x % 32;
    Key keys[kSplitItems];
    unsigned sides[kSplitItems];
#pragma unroll
    for (unsigned k = 0; k < kSplitItems; ++k) {
      const unsigned i = first + 32 * k;
      keys[k] = i < count_ ? from_.keys[i] : Key{};
      sides[k] = i < count_ ? side_of(codec_.encode(keys[k])) : kSides;
    }
    unsigned ranks[kSplitItems];
    rank_in_sides(warp, sides, ranks);
    __syncthreads();
    if (warp == 0) position_warps();
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kSplitItems; ++k) {
      if (sides[k] == kSides) continue;
      const unsigned position = shared_.warp_counts[sides[k]][warp] + ranks[k];
      to_.keys[position] = keys[k];
      if constexpr (kHasValue<Value>) to_.values[position] = from_.values[first + 32 * k];
    }
    __syncthreads();
  }

  __device__ void rank_in_sides(unsigned warp, const unsigned (&sides)[kSplitItems], unsigned (&ranks)[kSplitItems]) {
    const unsigned lanes_below = ~(~0u << threadIdx.x % 32);
    unsigned totals[kSides] = {};
#pragma unroll
    for (unsigned k = 0; k < kSplitItems; ++k) {
#pragma unroll
      for (unsigned s = 0; s < kSides; ++s) {
        const unsigned lanes = __ballot_sync(~0u, sides[k] == s);
        if (sides[k] == s) ranks[k] = totals[s] + __popc(lanes & lanes_below);
        totals[s] += __popc(lanes);
      }
    }
    if (threadIdx.x % 32 < kSides) {
#pragma unroll
      for (unsigned s = 0; s < kSides; ++s) {
        if (threadIdx.x % 32 == s) shared_.warp_counts[s][warp] = totals[s];
      }
    }
  }

  /// Called by one warp, with a lane for each warp of the block.
  __device__ void position_warps() {
#pragma unroll
    for (unsigned s = 0; s < kSides; ++s) {
      const unsigned own = shared_.warp_counts[s][threadIdx.x];
      const unsigned inclusive = warp_inclusive_sum(own);
      const unsigned begin = shared_.next_positions[s];
      shared_.warp_counts[s][threadIdx.x] = begin + inclusive - own;
      __syncwarp();
      if (threadIdx.x == 31) shared_.next_positions[s] = begin + inclusive;
    }
  }

  const RadixArrays<Key, Value>& from_;
  const RadixArrays<Key, Value>& to_;
  const unsigned count_;
  const GroupOrder<Key>& order_;
  const Codec codec_;
  SplitShared<Key>& shared_;
};

/// Adds [begin, begin + length) to the list of groups if it may be out of order. Called by one thread.
__device__ inline void leave_group(std::uint64_t begin, unsigned length, const RadixGroups& groups, RadixPlan* plan) {
  if (length < 2) return;
  const std::uint32_t position = atomicAdd(&plan->group_count, 1u);
  if (position + plan->long_group_count < groups.capacity) {
    groups.list[position] = {begin, begin + length};
  } else {
    plan->failed = 1;
  }
}

template <class Key, class Value, class Codec>
__global__ void __launch_bounds__(kSplitThreads)
    radix_group_split_kernel(RadixArrays<Key, Value> arrays, SampleVerdict verdict, Codec codec, RadixGroups groups,
                             RadixPlan* plan) {
  __shared__ SplitShared<Key> shared;
  if (plan->failed != 0 || blockIdx.x >= plan->long_group_count) return;
  const bool alternate = in_alternate(*plan);
  const GroupOrder<Key> order(verdict, *plan);
  for (std::uint32_t g = blockIdx.x; g < plan->long_group_count; g += gridDim.x) {
    const RadixGroup group = *groups.long_group(g);
    const auto count = static_cast<unsigned>(group.end - group.begin);
    const GroupArrays<Key, Value> items = group_arrays(arrays, group, alternate);
    unsigned lengths[kSides];
    GroupSplit<Key, Value, Codec>(items.from, items.to, count, order, codec, shared).run(lengths);
    if (threadIdx.x == 0) {
      leave_group(group.begin, lengths[0], groups, plan);
      leave_group(group.end - lengths[2], lengths[2], groups, plan);
    }
  }
}

}  // namespace sortie::kernels
