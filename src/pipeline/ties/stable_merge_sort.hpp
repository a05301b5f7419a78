// A stable sort for expensive comparisons, such as strcoll(): O(n log n) of them for any input, by all threads if there
// is much to compare. Used to order ties.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/parallel.hpp"

namespace sortie {

template <class Value, class Less>
void stable_merge_sort(std::span<Value> values, const Less& less) {
  constexpr std::size_t kLeastShared = 4096;
  if (values.size() < kLeastShared) {
    std::stable_sort(values.begin(), values.end(), less);
    return;
  }
  const std::span<Value> front = values.first(values.size() / 2);
  const std::span<Value> back = values.subspan(front.size());
  parallel_invoke([&] { stable_merge_sort(front, less); }, [&] { stable_merge_sort(back, less); });
  const std::vector<Value> sorted_front(front.begin(), front.end());
  auto target = values.begin();
  auto next_back = back.begin();
  for (const Value& value : sorted_front) {
    while (next_back != back.end() && less(*next_back, value)) *target++ = *next_back++;
    *target++ = value;
  }
}

}  // namespace sortie
