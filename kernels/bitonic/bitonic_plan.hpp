// Index arithmetic of the bitonic sorts: which thread holds which items. Host and device functions.
//
// A merge of two sorted halves of `size` items is one mirrored step and then straight ones. All comparators point up:
// the smaller item goes to the lower position.
//
//   mirrored step of size 8    0-7 1-6 2-5 3-4
//   straight step of size 4    0-2 1-3 4-6 5-7
//   straight step of size 2    0-1 2-3 4-5 6-7
//
// Since no item ever moves below a smaller one, any length sorts as if padded with infinities. A group is a set of
// items that meet only one another in some steps; one thread makes those steps in registers.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// Threads that sort a list together, with `items` items each. If `batch` is not 1, they sort `batch` lists at once,
/// with one item per thread and list.
struct BitonicTeam {
  unsigned threads;
  unsigned items;
  unsigned batch = 1;

  SORTIE_HD constexpr unsigned capacity() const { return threads * items; }
};

/// The team that sorts a tile of a list too long for one block.
inline constexpr BitonicTeam kTileTeam = {512, 4};
inline constexpr unsigned kBitonicTile = kTileTeam.capacity();

/// Position of item `i` of a tile in shared memory. Neither neighbouring items nor items of neighbouring threads share
/// a bank.
SORTIE_HD constexpr unsigned padded_position(unsigned i, unsigned item_bytes) {
  return i + i / (item_bytes <= 4 ? 32 : 16);
}

/// Positions for `item_count` items; a multiple of 4, so that arrays of any type fill units of 16 bytes.
SORTIE_HD constexpr unsigned padded_items(unsigned item_count, unsigned item_bytes) {
  return (padded_position(item_count, item_bytes) + 3) / 4 * 4;
}

/// Items of a group that takes the next steps of a merge, from `size` down to above a tile's. A group takes as many
/// steps at once as its registers hold.
SORTIE_HD constexpr unsigned group_items(std::uint64_t size, std::uint64_t tile) {
  return size >= 8 * tile ? 8 : size >= 4 * tile ? 4 : 2;
}

/// Position of item `item` of group `group`, in steps of sizes `size`, size / 2, ... size / items * 2 (all powers of
/// two). If the first step is mirrored, the upper half runs in reverse.
SORTIE_HD constexpr std::uint64_t group_position(std::uint64_t group, unsigned item, unsigned items, std::uint64_t size,
                                                 bool mirrored) {
  const std::uint64_t spacing = size / items;
  const std::uint64_t offset = group & (spacing - 1);
  const bool from_behind = mirrored && item >= items / 2;
  return (group - offset) * items + item * spacing + (from_behind ? spacing - 1 - offset : offset);
}

/// The number of groups of `count` items. Includes all groups that have a comparator, and maybe some that have none.
SORTIE_HD constexpr std::uint64_t group_count(std::uint64_t count, unsigned items, std::uint64_t size) {
  const std::uint64_t rest = count & (size - 1);
  const std::uint64_t spacing = size / items;
  return (count - rest) / items + (rest < spacing ? rest : spacing);
}

}  // namespace sortie::kernels
