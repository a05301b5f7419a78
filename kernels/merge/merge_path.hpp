// Searches in two sorted sequences that are to be merged; on ties, a comes before b. Host and device functions over
// anything with operator[]. `before(x, y)` says whether x comes strictly before y.
// Green, Odeh and Birk, "Merge Path: A Visually Intuitive Approach to Parallel Merging", 2014.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// The number of items from a among the first `diagonal` merged items. diagonal <= a_count + b_count.
template <class Count, class SequenceA, class SequenceB, class Before>
SORTIE_HD Count merge_path(const SequenceA& a, Count a_count, const SequenceB& b, Count b_count, Count diagonal,
                           const Before& before) {
  Count low = diagonal > b_count ? diagonal - b_count : 0;
  Count high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (before(b[diagonal - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// The first position in [low, high) whose item does not come before `item`; `high` if there is none.
template <class Sequence, class Item, class Before>
SORTIE_HD std::uint64_t lower_rank(const Sequence& sequence, std::uint64_t low, std::uint64_t high, const Item& item,
                                   const Before& before) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (before(sequence[middle], item)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The first position in [low, high) whose item comes after `item`; `high` if there is none.
template <class Sequence, class Item, class Before>
SORTIE_HD std::uint64_t upper_rank(const Sequence& sequence, std::uint64_t low, std::uint64_t high, const Item& item,
                                   const Before& before) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (before(item, sequence[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace sortie::kernels
