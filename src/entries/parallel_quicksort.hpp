// Quicksort whose halves are sorted in parallel, in O(n log n) for every order of the items (Musser, Introspective
// sorting and selection algorithms, 1997): it counts its levels, and when they are used up, leaves the rest to another
// sort. Used for entries of tied records and for the candidates of a selection.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <span>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"

namespace sortie {

/// Fewer items are not worth a task of their own.
inline constexpr std::size_t kQuicksortTaskItems = 1 << 15;

/// When quicksort leaves the rest to another sort.
struct QuicksortEnd {
  std::size_t items = 0;  ///< so few, or fewer, are left to it
  unsigned levels = 0;    ///< and what has not become so few by then
};

/// Twice the levels that items in random order need, and a few more: a pivot is the median of 31 items.
inline QuicksortEnd quicksort_end(std::size_t item_count, std::size_t rest_items = kQuicksortTaskItems) {
  return {rest_items, 2 * static_cast<unsigned>(std::bit_width(item_count / rest_items)) + 4};
}

/// Sorts by `less`, a strict weak order. `sort_rest(items)` sorts what is left at the end: on one thread, in
/// O(n log n) whatever the order. Not stable. Several threads call both at the same time.
template <class Item, class Less, class SortRest>
void parallel_quicksort(std::span<Item> items, const Less& less, const SortRest& sort_rest, QuicksortEnd end) {
  if (items.size() <= end.items || end.levels == 0) {
    sort_rest(items);
    return;
  }
  --end.levels;
  Item sample[31];
  for (std::size_t i = 0; i < std::size(sample); ++i) sample[i] = items[items.size() / 32 * (i + 1)];
  std::nth_element(sample, sample + 15, sample + 31, less);
  const Item pivot = sample[15];
  StopPoll ask_for_stop;
  const auto middle = std::partition(items.begin(), items.end(), [&](const Item& item) {
    ask_for_stop();
    return less(item, pivot);
  });
  const auto below = static_cast<std::size_t>(middle - items.begin());
  run_with_background([&] { parallel_quicksort(items.first(below), less, sort_rest, end); },
                      [&] { parallel_quicksort(items.subspan(below), less, sort_rest, end); });
}

/// The same with as many levels as random items need, and std::sort() for the rest.
template <class Item, class Less>
void parallel_quicksort(std::span<Item> items, const Less& less) {
  parallel_quicksort(
      items, less, [&](std::span<Item> rest) { std::sort(rest.begin(), rest.end(), less); },
      quicksort_end(items.size()));
}

}  // namespace sortie
