// The numbers behind the bitonic sorts: who holds which items. Host and device functions.
//
// A merge of two sorted halves of `size` items, all of whose comparators point up (the smaller item goes to the lower
// place), is one mirrored step and then straight ones:
//
//   mirrored step of size 8    0-7 1-6 2-5 3-4
//   straight step of size 4    0-2 1-3 4-6 5-7
//   straight step of size 2    0-1 2-3 4-5 6-7
//
// Since nothing larger than an item ever moves below it, any length sorts as if padded with infinities. A group is a
// number of items that meet only one another in some steps: one thread makes those steps in registers.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// Threads that sort a list together, `items` each; or, if `batch` is not 1, `batch` lists of one item a thread at
/// once.
struct BitonicTeam {
  unsigned threads;
  unsigned items;
  unsigned batch = 1;

  SORTIE_HD constexpr unsigned capacity() const { return threads * items; }
};

/// What sorts the tiles of lists that no block holds.
inline constexpr BitonicTeam kTileTeam = {512, 4};
inline constexpr unsigned kBitonicTile = kTileTeam.capacity();

/// Where item `i` of a tile in shared memory lies, so that neither neighbouring items nor those of neighbouring
/// threads meet in a bank.
SORTIE_HD constexpr unsigned padded_place(unsigned i, unsigned item_bytes) {
  return i + i / (item_bytes <= 4 ? 32 : 16);
}

/// Places for `item_count` items; a multiple of 4, so that an array of anything fills units of 16 bytes.
SORTIE_HD constexpr unsigned padded_items(unsigned item_count, unsigned item_bytes) {
  return (padded_place(item_count, item_bytes) + 3) / 4 * 4;
}

/// How many items a group has that takes the next steps of a merge, from `size` down to above a tile's: as many
/// steps at once as registers hold.
SORTIE_HD constexpr unsigned group_items(std::uint64_t size, std::uint64_t tile) {
  return size >= 8 * tile ? 8 : size >= 4 * tile ? 4 : 2;
}

/// Where item `item` of group `group` lies, in steps of sizes `size`, size / 2, ... size / items * 2 (all powers of
/// two). If the first one is mirrored, the upper half lies the other way round.
SORTIE_HD constexpr std::uint64_t group_place(std::uint64_t group, unsigned item, unsigned items, std::uint64_t size,
                                              bool mirrored) {
  const std::uint64_t spacing = size / items;
  const std::uint64_t offset = group & (spacing - 1);
  const bool from_behind = mirrored && item >= items / 2;
  return (group - offset) * items + item * spacing + (from_behind ? spacing - 1 - offset : offset);
}

/// Groups of `count` items that have a comparator, and maybe some that have none.
SORTIE_HD constexpr std::uint64_t group_count(std::uint64_t count, unsigned items, std::uint64_t size) {
  const std::uint64_t rest = count & (size - 1);
  const std::uint64_t spacing = size / items;
  return (count - rest) / items + (rest < spacing ? rest : spacing);
}

}  // namespace sortie::kernels
