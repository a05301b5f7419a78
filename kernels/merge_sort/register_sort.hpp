// Sorts of a few items that one thread holds. They are networks of comparators whose indices are all known at compile
// time, so that the items stay in registers. Host and device functions, for the merge sort's tiny lists.
#pragma once

#include <sortie/cuda/thread_sort.hpp>

#include "base/host_device.hpp"

namespace sortie::kernels {

using cuda::for_constants;
using cuda::sort_stably_in_registers;

/// Puts keys i and i + kDistance in order, for all i with `(i & kPart) == kWanted`.
template <unsigned kPart, unsigned kWanted, unsigned kDistance, unsigned kItems, class Key>
SORTIE_HD void exchange_keys(Key (&keys)[kItems]) {
  for_constants<(kItems > kDistance ? kItems - kDistance : 0)>([&]<unsigned kIndex>() {
    if constexpr ((kIndex & kPart) == kWanted) {
      const Key left = keys[kIndex];
      const Key right = keys[kIndex + kDistance];
      keys[kIndex] = left < right ? left : right;
      keys[kIndex + kDistance] = left < right ? right : left;
    }
  });
}

/// The second half of a merge: exchanges keys kReach - kPart apart, then kReach / 2 - kPart, and so on down to kPart.
template <unsigned kPart, unsigned kReach, unsigned kItems, class Key>
SORTIE_HD void exchange_nearer_keys(Key (&keys)[kItems]) {
  if constexpr (kReach > kPart) {
    exchange_keys<kPart, kPart, kReach - kPart>(keys);
    exchange_nearer_keys<kPart, kReach / 2>(keys);
  }
}

template <unsigned kPart, unsigned kReach, unsigned kItems, class Key>
SORTIE_HD void merge_exchange(Key (&keys)[kItems]) {
  if constexpr (kPart > 0) {
    exchange_keys<kPart, 0, kPart>(keys);
    exchange_nearer_keys<kPart, kReach>(keys);
    merge_exchange<kPart / 2, kReach>(keys);
  }
}

/// The smallest power of two whose double is at least `count`.
SORTIE_HD constexpr unsigned half_power_of_two(unsigned count) {
  unsigned half = 1;
  while (2 * half < count) half *= 2;
  return half;
}

/// Sorts unsigned keys by Batcher's merge exchange: kItems * log2(kItems)^2 / 4 comparators. Equal keys are
/// indistinguishable, so stability does not matter. Knuth, "Sorting and Searching", algorithm 5.2.2M.
template <unsigned kItems, class Key>
SORTIE_HD void sort_keys_in_registers(Key (&keys)[kItems]) {
  constexpr unsigned kReach = half_power_of_two(kItems);
  merge_exchange<kReach, kReach>(keys);
}

}  // namespace sortie::kernels
