// Searches in two sorted sequences that are to be merged; on ties, a comes before b. Host and device functions over
// anything with operator[]. `before(x, y)` says whether x comes strictly before y.
// Green, Odeh and Birk, "Merge Path: A Visually Intuitive Approach to Parallel Merging", 2014.
#pragma once

#include <cstdint>
#include <type_traits>

#include <sortie/cuda/merge_shares.hpp>

#include "base/host_device.hpp"

namespace sortie::kernels {

using cuda::merge_path;

/// The first position in [low, high) whose item does not come before `item`; `high` if there is none.
template <class Count = std::uint64_t, class Sequence, class Item, class Before>
SORTIE_HD Count lower_rank(const Sequence& sequence, std::type_identity_t<Count> low, std::type_identity_t<Count> high,
                           const Item& item, const Before& before) {
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (before(sequence[middle], item)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The first position in [low, high) whose item comes after `item`; `high` if there is none.
template <class Count = std::uint64_t, class Sequence, class Item, class Before>
SORTIE_HD Count upper_rank(const Sequence& sequence, std::type_identity_t<Count> low, std::type_identity_t<Count> high,
                           const Item& item, const Before& before) {
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (before(item, sequence[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace sortie::kernels
