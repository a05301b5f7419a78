// Index arithmetic of the split radix sort: where the lists of a tile lie, and how one thread splits its list by a
// bit. Host and device functions.
//
// A tile belongs to one warp. Each lane has a list of neighbouring items of the input, so that of equal items those of
// the lower lane come first. Lists are interleaved, item by item, with one column per lane. A row has one position more
// than there are lanes. So filling the lists, which goes down the columns, meets every bank too:
//
//   row 0   | list 0 item 0 | list 1 item 0 | ... | list 31 item 0 | - |
//   row 1   | list 0 item 1 | list 1 item 1 | ... | list 31 item 1 | - |
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

inline constexpr unsigned kSplitLists = 32;      ///< one per lane
inline constexpr unsigned kSplitListItems = 32;  ///< longest list
inline constexpr unsigned kSplitTile = kSplitLists * kSplitListItems;
inline constexpr unsigned kSplitRowPositions = kSplitLists + 1;
inline constexpr unsigned kSplitPositions = kSplitListItems * kSplitRowPositions;

SORTIE_HD constexpr unsigned list_position(unsigned list, unsigned item) { return item * kSplitRowPositions + list; }

/// The position of item number `item` of the tile in its list.
SORTIE_HD constexpr unsigned tile_position(unsigned item) {
  return list_position(item / kSplitListItems, item % kSplitListItems);
}

/// The number of items of list `list` of a tile of `tile_count` items.
SORTIE_HD constexpr unsigned list_length(unsigned list, unsigned tile_count) {
  const unsigned begin = list * kSplitListItems;
  if (begin >= tile_count) return 0;
  return tile_count - begin < kSplitListItems ? tile_count - begin : kSplitListItems;
}

/// One step of a radix sort of one list. Items whose bit is zero go before those whose bit is one; both keep their
/// order.
template <class Arrays>
SORTIE_HD void split_list(const Arrays& from, const Arrays& to, unsigned list, unsigned length, unsigned bit) {
  unsigned zeros = 0;
  for (unsigned i = 0; i < length; ++i) {
    zeros += (from.load(list_position(list, i)).key >> bit & 1) == 0 ? 1 : 0;
  }
  unsigned next_zero = 0;
  unsigned next_one = zeros;
  for (unsigned i = 0; i < length; ++i) {
    const typename Arrays::Item item = from.load(list_position(list, i));
    const bool is_one = (item.key >> bit & 1) != 0;
    to.store(list_position(list, is_one ? next_one : next_zero), item);
    (is_one ? next_one : next_zero) += 1;
  }
}

}  // namespace sortie::kernels
