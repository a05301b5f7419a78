// The binary search for where something begins to hold. Host and device code.
#pragma once

#include "base/host_device.hpp"

namespace sortie {

/// The first index of [begin, end) for which `holds`, as it does for all that follow; `end` if there is none.
template <class Index, class Holds>
SORTIE_HD constexpr Index first_index(Index begin, Index end, const Holds& holds) {
  while (begin < end) {
    const Index middle = begin + (end - begin) / 2;
    if (holds(middle)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

}  // namespace sortie
