// The numbers behind the merge sort: how a thread sorts and merges its tiny lists, where an item goes in the
// merge of two lists in shared memory, and the shape of a tile. Host and device functions.
//
//   tile   | 8 | 8 | 8 | 8 | ...     each thread sorts 8 items in registers,
//          |  16   |  16   | ...     every second thread merges two such lists,
//          |      32       | ...     then all threads merge all lists of the tile: an item goes to its own
//          |     ...                 index plus its rank in the other list, found by binary search
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

struct MergeSortTuning {
  unsigned threads;  ///< of a block; a power of two

  /// Lists that a thread sorts in registers, and that one thread merges into.
  static constexpr unsigned kThreadItems = 8;
  static constexpr unsigned kThreadMergedItems = 16;

  SORTIE_HD constexpr unsigned tile_items() const { return threads * kThreadItems; }
};

/// H200, 2^26 uniform items, Gitems/s with blocks of 64, 128, 256 and 512 threads: u32 14.0, 14.4, 14.0, 13.4;
/// u64 8.7, 9.0, 9.0, 8.4. Pairs were measured with 256 alone (u64 + u32: 6.7).
SORTIE_HD constexpr MergeSortTuning merge_sort_tuning(std::size_t item_bytes) {
  return item_bytes <= 8 ? MergeSortTuning{128} : MergeSortTuning{256};
}

/// Sorts the first `count` of the items by odd-even transposition, whose comparators join neighbours alone:
/// stable, and free of indices that are not known at compile time.
template <unsigned kItems, class Item, class Before>
SORTIE_HD void sort_in_registers(Item (&items)[kItems], unsigned count, const Before& before) {
  for (unsigned step = 0; step < kItems; ++step) {
    for (unsigned i = step % 2; i + 1 < kItems; i += 2) {
      if (i + 1 < count && before(items[i + 1], items[i])) {
        const Item low = items[i + 1];
        items[i + 1] = items[i];
        items[i] = low;
      }
    }
  }
}

/// Merges lists [a, a_end) and [a_end, b_end) of an array into `merged`, a before b on ties.
template <unsigned kItems, class Arrays, class Before>
SORTIE_HD void merge_in_registers(const Arrays& arrays, unsigned a, unsigned a_end, unsigned b_end,
                                  typename Arrays::Item (&merged)[kItems], const Before& before) {
  unsigned b = a_end;
  for (unsigned k = 0; k < kItems; ++k) {
    const bool a_left = a < a_end;
    const bool b_left = b < b_end;
    if (!a_left && !b_left) continue;
    const bool take_b = b_left && (!a_left || before(arrays.load(b), arrays.load(a)));
    merged[k] = arrays.load(take_b ? b++ : a++);
  }
}

/// The first place in [low, high) that `belongs_before` is false for; `high` if there is none.
template <class Predicate>
SORTIE_HD unsigned partition_place(unsigned low, unsigned high, const Predicate& belongs_before) {
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (belongs_before(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Where the item at `place` goes when each even list of `list_items` items is merged with its right
/// neighbour: its own index plus its rank in the other list. The last lists end at `count`.
template <class Arrays, class Before>
SORTIE_HD unsigned merged_place(const Arrays& arrays, unsigned place, unsigned list_items, unsigned count,
                                const Before& before) {
  const unsigned begin = place / (2 * list_items) * (2 * list_items);
  const unsigned middle = begin + list_items < count ? begin + list_items : count;
  const unsigned end = middle + list_items < count ? middle + list_items : count;
  const typename Arrays::Item item = arrays.load(place);
  if (place < middle) {
    return place - middle + partition_place(middle, end, [&](unsigned i) { return before(arrays.load(i), item); });
  }
  return place - middle + partition_place(begin, middle, [&](unsigned i) { return !before(item, arrays.load(i)); });
}

}  // namespace sortie::kernels
