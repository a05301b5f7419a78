// Follows the sort by leading digits. Neighbours that agree in those digits form a group, which is put in order by the
// rest of their bits. After the sort by leading digits a descent lies inside a group, so one look at all neighbours
// finds every group that needs sorting; groups of equal keys do not.
//
//   repair   reads all keys. If a short group lies inside a tile, one thread sorts it by insertion;
//            for other groups it notes the position of a descent
//   resolve  turns those positions into groups, each once; changes nothing (radix_group_bounds.cuh)
//   split    gives each long group a block, which splits it by its most frequent key (radix_group_split.cuh)
//   sort     gives each of the others, and of the parts, a block (radix_group_sort.cuh)
//
// The arrays hold the caller's numbers, shared memory their codes. All steps are stable. If there is too much disorder
// they set `failed`, and the sort by all digits follows.
#pragma once

#include <cstdint>

#include "kernels/radix/radix_histogram.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"

namespace sortie::kernels {

inline constexpr unsigned kRepairThreads = 256;
inline constexpr unsigned kRepairItems = 16;
inline constexpr unsigned kRepairTile = kRepairThreads * kRepairItems;

/// One thread sorts a group up to this length, while all others of its warp wait.
inline constexpr unsigned kShortGroup = 16;

/// Longer groups than this are not worth the time of one block.
inline constexpr std::uint64_t kLongestGroup = std::uint64_t{1} << 18;

/// Notes a descent in a group that needs a block. Sets `failed` if there are too many.
__device__ inline void note_finding(RadixPlan* plan, const RadixGroups& groups, std::uint64_t at) {
  const std::uint32_t position = atomicAdd(&plan->finding_count, 1u);
  if (position < groups.capacity) {
    groups.findings[position] = at;
  } else {
    plan->failed = 1;
  }
}

template <class Key>
struct RepairShared {
  Key keys[kRepairTile];
  Key before;  ///< the key before the tile
  Key behind;  ///< the key behind the tile
  unsigned group_count;
  std::uint16_t group_begins[kRepairTile / 2];
  std::uint8_t group_lengths[kRepairTile / 2];
};

/// The order of keys, given as codes, and of their groups.
template <class Key>
struct GroupOrder {
  Key ordered;  ///< the bits that order the keys
  Key leading;  ///< the ordered bits that all items of a group agree in

  __device__ GroupOrder(const SampleVerdict& verdict, const RadixPlan& plan)
      : ordered(bits_from(verdict.bits.begin, verdict.bits.end)),
        leading(bits_from(radix_digit(verdict.bits, verdict.lowest_digit(plan)).shift, verdict.bits.end)) {}

  __device__ bool less(Key a, Key b) const { return (a & ordered) < (b & ordered); }
  __device__ bool same_group(Key a, Key b) const { return ((a ^ b) & leading) == 0; }

  __device__ static Key bits_from(unsigned begin, unsigned end) {
    return static_cast<Key>(~Key{0} << begin) & static_cast<Key>(~Key{0} >> (8 * sizeof(Key) - end));
  }
};

/// Encodes the keys in a vector.
template <class Key, class Codec>
__device__ uint4 encode_vector(uint4 vector, const Codec& codec) {
  Key lanes[16 / sizeof(Key)];
  memcpy(lanes, &vector, sizeof lanes);
#pragma unroll
  for (Key& lane : lanes) lane = codec.encode(lane);
  memcpy(&vector, lanes, sizeof lanes);
  return vector;
}

template <class Key, class Value, class Codec>
class RepairTile {
 public:
  __device__ RepairTile(Key* keys, Value* values, std::uint64_t begin, std::uint64_t count, GroupOrder<Key> order,
                        Codec codec, RepairShared<Key>& shared)
      : keys_(keys + begin),
        values_(values + begin),
        begin_(begin),
        size_(count - begin < kRepairTile ? static_cast<unsigned>(count - begin) : kRepairTile),
        has_before_(begin > 0),
        has_behind_(begin + size_ < count),
        order_(order),
        codec_(codec),
        shared_(shared) {}

  __device__ void load() {
    constexpr unsigned kVectorKeys = 16 / sizeof(Key);
    if (size_ == kRepairTile) {
#pragma unroll
      for (unsigned k = 0; k < kRepairItems / kVectorKeys; ++k) {
        const unsigned i = threadIdx.x + k * kRepairThreads;
        reinterpret_cast<uint4*>(shared_.keys)[i] =
            encode_vector<Key>(reinterpret_cast<const uint4*>(keys_)[i], codec_);
      }
    } else {
      for (unsigned i = threadIdx.x; i < size_; i += kRepairThreads) shared_.keys[i] = codec_.encode(keys_[i]);
    }
    if (threadIdx.x == 0) {
      shared_.group_count = 0;
      if (has_before_) shared_.before = codec_.encode(*(keys_ - 1));
      if (has_behind_) shared_.behind = codec_.encode(keys_[size_]);
    }
    __syncthreads();
  }

  /// Each thread looks at items one block's width apart. The first descent in a group speaks for it.
  template <class Note>
  __device__ void find_groups(const Note& note) {
#pragma unroll 4
    for (unsigned k = 0; k < kRepairItems; ++k) {
      const unsigned i = threadIdx.x + k * kRepairThreads;
      if (i >= size_ || (i == 0 && !has_before_)) continue;
      const Key before = i > 0 ? shared_.keys[i - 1] : shared_.before;
      if (order_.less(shared_.keys[i], before)) look_around(i, note);
    }
    __syncthreads();
  }

  __device__ void sort_groups() const {
    for (unsigned g = threadIdx.x; g < shared_.group_count; g += kRepairThreads) {
      sort_by_insertion(shared_.group_begins[g], shared_.group_lengths[g]);
    }
  }

 private:
  template <class Note>
  __device__ void look_around(unsigned descent, const Note& note) {
    const Key key = shared_.keys[descent];
    unsigned begin = descent;
    while (begin > 0 && order_.same_group(key, shared_.keys[begin - 1])) {
      if (descent - begin > kShortGroup) return note(begin_ + descent);
      --begin;
      if (begin > 0 && order_.less(shared_.keys[begin], shared_.keys[begin - 1])) return;
    }
    if (begin == 0 && has_before_ && order_.same_group(key, shared_.before)) return note(begin_ + descent);
    unsigned end = descent + 1;
    while (end < size_ && end - begin <= kShortGroup && order_.same_group(key, shared_.keys[end])) ++end;
    const bool crosses = end == size_ && has_behind_ && order_.same_group(key, shared_.behind);
    if (crosses || end - begin > kShortGroup) return note(begin_ + descent);
    const unsigned position = atomicAdd(&shared_.group_count, 1u);
    shared_.group_begins[position] = static_cast<std::uint16_t>(begin);
    shared_.group_lengths[position] = static_cast<std::uint8_t>(end - begin);
  }

  __device__ void sort_by_insertion(unsigned begin, unsigned length) const {
    for (unsigned i = begin + 1; i < begin + length; ++i) {
      const Key key = shared_.keys[i];
      unsigned to = i;
      while (to > begin && order_.less(key, shared_.keys[to - 1])) --to;
      if (to == i) continue;
      Value value{};
      if constexpr (kHasValue<Value>) value = values_[i];
      for (unsigned at = i; at > to; --at) {
        shared_.keys[at] = shared_.keys[at - 1];
        keys_[at] = codec_.decode(shared_.keys[at]);
        if constexpr (kHasValue<Value>) values_[at] = values_[at - 1];
      }
      shared_.keys[to] = key;
      keys_[to] = codec_.decode(key);
      if constexpr (kHasValue<Value>) values_[to] = value;
    }
  }

  Key* const keys_;
  Value* const values_;
  const std::uint64_t begin_;
  const unsigned size_;
  const bool has_before_;
  const bool has_behind_;
  const GroupOrder<Key> order_;
  const Codec codec_;
  RepairShared<Key>& shared_;
};

/// Whether the passes left out digits that vary.
__device__ inline bool needs_repair(const SampleVerdict& verdict, const RadixPlan& plan) {
  const unsigned varying = varying_digits(verdict.bits, plan.ones, plan.zeros);
  return plan.unsorted != 0 && (varying & ~verdict.leading_digits(plan)) != 0;
}

template <class Key, class Value, class Codec>
__global__ void __launch_bounds__(kRepairThreads)
    radix_repair_kernel(RadixArrays<Key, Value> arrays, std::uint64_t count, SampleVerdict verdict, Codec codec,
                        RadixGroups groups, RadixPlan* plan) {
  __shared__ RepairShared<Key> shared;
  if (!needs_repair(verdict, *plan)) return;
  const bool alternate = in_alternate(*plan);
  const GroupOrder<Key> order(verdict, *plan);
  for (std::uint64_t begin = std::uint64_t{blockIdx.x} * kRepairTile; begin < count;
       begin += std::uint64_t{gridDim.x} * kRepairTile) {
    RepairTile<Key, Value, Codec> tile(alternate ? arrays.alternate_keys : arrays.keys,
                                       alternate ? arrays.alternate_values : arrays.values, begin, count, order, codec,
                                       shared);
    tile.load();
    tile.find_groups([&](std::uint64_t at) { note_finding(plan, groups, at); });
    tile.sort_groups();
    __syncthreads();
  }
}

}  // namespace sortie::kernels
