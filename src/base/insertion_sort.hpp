// Sorts few items, one after the other: whatever else would be done takes longer. Used by sorts of short arrays.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace sortie {

/// Up to here it pays.
inline constexpr std::size_t kMostInserted = 24;

/// Stable.
template <class Item, class Less>
void insertion_sort(std::span<Item> items, const Less& less) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    Item item = std::move(items[i]);
    std::size_t at = i;
    for (; at > 0 && less(item, items[at - 1]); --at) items[at] = std::move(items[at - 1]);
    items[at] = std::move(item);
  }
}

}  // namespace sortie
