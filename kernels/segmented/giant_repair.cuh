// After a giant was sorted by its leading digits: items that these do not tell apart are next to each other, mostly two
// or three of them, and are put in order by one thread. Threads read keys that others move meanwhile. What they learn
// from the leading bits holds, since keys move only among such as have the same ones; what they learn from a whole key
// holds if the items are too many for one thread, as those are not moved.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_portion.cuh"
#include "kernels/segmented/segment_plan.hpp"

namespace sortie::kernels {

template <class Code, class Value>
class GiantRepair {
 public:
  /// `below`: the lowest bit that the items are sorted by.
  __device__ GiantRepair(const RadixArrays<Code, Value>& arrays, const KeyCodec<Code>& codec, const Segment& segment,
                         unsigned below)
      : arrays_(arrays), codec_(codec), begin_(segment.begin), end_(segment.begin + segment.count), below_(below) {}

  /// Mends what is wrong around item i, which is not the segment's first; `before` and `code`: the codes of the item
  /// before it and of its own. Returns false if it is one of too many that are out of order.
  __device__ bool mend(std::uint64_t i, Code before, Code code) const {
    if (!are_alike(before, code)) return true;
    if (i - 1 == begin_ || !are_alike(code_at(i - 2), code)) sort_group(i - 1, code);
    return before <= code || !is_among_too_many(i, code);
  }

 private:
  __device__ Code code_at(std::uint64_t i) const {
    return codec_.encode(*static_cast<const volatile Code*>(arrays_.keys + i));
  }
  __device__ bool are_alike(Code a, Code b) const { return a >> below_ == b >> below_; }

  __device__ bool is_among_too_many(std::uint64_t i, Code code) const {
    std::uint64_t first = i;
    while (first > begin_ && i - first < kMostMendedItems && are_alike(code_at(first - 1), code)) --first;
    std::uint64_t last = i;
    while (last + 1 < end_ && last - first < kMostMendedItems && are_alike(code_at(last + 1), code)) ++last;
    return last - first >= kMostMendedItems;
  }

  /// Sorts the items from `first` on that are alike, by insertion, if they are not too many. The thread of the second
  /// one does so.
  __device__ void sort_group(std::uint64_t first, Code code) const {
    std::uint64_t end = first + 1;
    while (end < end_ && end - first <= kMostMendedItems && are_alike(code_at(end), code)) ++end;
    if (end - first > kMostMendedItems) return;
    for (std::uint64_t next = first + 1; next < end; ++next) {
      for (std::uint64_t i = next; i > first && code_at(i) < code_at(i - 1); --i) swap_with_one_before(i);
    }
  }

  __device__ void swap_with_one_before(std::uint64_t i) const {
    volatile Code* const keys = arrays_.keys + i;
    const Code key = keys[0];
    keys[0] = keys[-1];
    keys[-1] = key;
    if constexpr (kHasValue<Value>) {
      Value* const values = arrays_.values + i;
      const Value value = values[0];
      values[0] = values[-1];
      values[-1] = value;
    }
  }

  const RadixArrays<Code, Value>& arrays_;
  const KeyCodec<Code>& codec_;
  const std::uint64_t begin_;
  const std::uint64_t end_;
  const unsigned below_;
};

}  // namespace sortie::kernels
