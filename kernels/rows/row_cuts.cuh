// Rows of keys of 8 bytes with places: a code and a place have more bits than the numbers that are sorted
// (cut_codes.hpp). Where bits are cut off, a row is sorted by the others. Neighbours that agree in these, of random
// keys next to none, are put right by a few steps of odd-even transposition. Where these do not suffice, or many keys
// agree, as one outlier has a high bit and all others differ in low ones, the row is sorted twice: by the bits that
// were cut off, then by the others. The places in the order of the first sort wait in the memory of the result.
#pragma once

#include <cstdint>

#include "kernels/rows/row_items.cuh"
#include "kernels/rows/row_team.cuh"

namespace sortie::kernels {

/// How a row's codes become numbers, and whether so many agree in what is left of them that two sorts are due.
struct LoadedCut {
  RowCuts form;
  bool is_crowded;  ///< the same for all threads that share the tile
};

/// A row is crowded if one of so many threads has two neighbours that differ in the bits cut off alone.
inline constexpr unsigned kThreadsOfCrowd = 32;

/// Loads a row as load() does, of the form that is returned: that of this row.
template <BitonicTeam kTeam>
__device__ LoadedCut load_cut(const RowArrays<RowCuts>& rows, std::uint64_t row, unsigned lane,
                              std::uint64_t (&items)[kTeam.items], const RowCuts::Tile& tile) {
  const unsigned left = rows.left_of(row, lane);
  const std::uint64_t first = row < rows.row_count ? rows.code_at(row, 0) : 0;
  std::uint64_t differing = 0;
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    if (k * kTeam.threads >= left) break;
    items[k] = rows.code_at(row, k * kTeam.threads + lane);
    differing |= items[k] ^ first;
  }
  const RowCuts form{RowCuts::of(first, bits_of_team<kTeam>(differing, tile))};
  bool is_crowded = false;
  std::uint64_t before = first;
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    const unsigned place = k * kTeam.threads + lane;
    if (k * kTeam.threads < left) {
      is_crowded |= form.are_untold(items[k], before);
      before = items[k];
      items[k] = form.item(items[k], place);
    } else {
      items[k] = RowCuts::Tile::infinity();
    }
  }
  constexpr unsigned kSharing = kTeam.threads > 32 ? kTeam.threads : 32;
  return {form, count_of_tile<kTeam>(is_crowded) * kThreadsOfCrowd > kSharing};
}

/// A row that is sorted by the bits cut off, and then by the others.
template <BitonicTeam kTeam>
class RowInTwoSorts {
 public:
  /// `thread`: of those who share the tile. The first sort's numbers have half of the bits.
  __device__ RowInTwoSorts(const RowArrays<RowCuts>& rows, std::uint64_t row, unsigned lane, const RowCuts& form,
                           const RowCuts::Tile& tile, unsigned thread)
      : rows_(rows),
        row_(row),
        lane_(lane),
        form_(form),
        tile_(tile),
        low_tile_{reinterpret_cast<std::uint32_t*>(tile.keys), {}},
        thread_(thread) {}

  /// Makes the first sort, leaves the places in its order, and loads what the second one is of.
  __device__ void sort_by_low_bits(std::uint64_t (&items)[kTeam.items]) const {
    std::uint32_t low[kTeam.items];
    for_each(low, [&](std::uint32_t& item, unsigned place) {
      item = static_cast<std::uint32_t>(form_.low_item(rows_.code_at(row_, place), place));
    });
    sort_to_tile<kTeam>(low, low_tile_, thread_);
    for_each(items, [&](std::uint64_t& item, unsigned rank) {
      const unsigned place = RowCuts::place_of(low_tile_.load(position_of(rank, LowTile::kItemBytes)));
      rows_.put_place(row_, rank, place);
      item = form_.item(rows_.code_at(row_, place), rank);
    });
    synchronise_tile<kTeam>();
  }

  /// Loads the items in the order of the second sort, which the tile holds, with their places.
  __device__ void load_sorted(std::uint64_t (&items)[kTeam.items]) const {
    for_each(items, [&](std::uint64_t& item, unsigned at) {
      item = tile_.load(position_of(at, RowCuts::Tile::kItemBytes));
      const unsigned rank = RowCuts::place_of(item);
      item = item - rank + rows_.place_at(row_, rank);
    });
    synchronise_tile<kTeam>();  // all have read the places that are overwritten now
  }

 private:
  using LowTile = BitonicKeys<std::uint32_t>;
  static_assert(2 * RowCuts::kPlaceBits <= 32);

  /// Calls use(item, its number in the row) for this thread's items; those behind the end of the row become infinities.
  template <class Item, class Use>
  __device__ void for_each(Item (&items)[kTeam.items], const Use& use) const {
    const unsigned left = rows_.left_of(row_, lane_);
#pragma unroll
    for (unsigned k = 0; k < kTeam.items; ++k) {
      if (k * kTeam.threads < left) {
        use(items[k], k * kTeam.threads + lane_);
      } else {
        items[k] = static_cast<Item>(~Item{0});
      }
    }
  }

  /// Where a sorted item of the row lies in the tile.
  __device__ unsigned position_of(unsigned at, unsigned item_bytes) const {
    return padded_position(thread_ / kTeam.threads * kTeam.capacity() + at, item_bytes);
  }

  const RowArrays<RowCuts>& rows_;
  const std::uint64_t row_;
  const unsigned lane_;
  const RowCuts& form_;
  const RowCuts::Tile& tile_;
  const LowTile low_tile_;
  const unsigned thread_;
};

/// Steps of odd-even transposition, two at a time, before a row is sorted anew. The last ones find nothing to do.
inline constexpr unsigned kMostMendings = 6;

/// Puts items right that lie in the tile from `begin` on, in the order of what is left of their codes. Returns false to
/// all threads that share the tile if that takes too many steps.
template <BitonicTeam kTeam>
__device__ bool mend_cut(const RowArrays<RowCuts>& rows, std::uint64_t row, unsigned lane, const RowCuts& form,
                         const RowCuts::Tile& tile, unsigned begin) {
  const unsigned count = form.is_cut() && row < rows.row_count ? rows.row_items : 0;
  // Exchanges item `at` with the next one if both are cut to the same bits and are not in order.
  const auto exchange = [&](unsigned at) {
    const unsigned low = padded_position(begin + at, RowCuts::Tile::kItemBytes);
    const unsigned high = padded_position(begin + at + 1, RowCuts::Tile::kItemBytes);
    const std::uint64_t a = tile.load(low);
    const std::uint64_t b = tile.load(high);
    if ((a ^ b) >> RowCuts::kPlaceBits != 0) return false;
    if (rows.code_at(row, RowCuts::place_of(a)) <= rows.code_at(row, RowCuts::place_of(b))) return false;
    tile.store(low, b);
    tile.store(high, a);
    return true;
  };
  for (unsigned mending = 0; mending < kMostMendings; ++mending) {
    bool has_exchanged = false;
    for (unsigned odd = 0; odd < 2; ++odd) {
      for (unsigned at = 2 * lane + odd; at + 1 < count; at += 2 * kTeam.threads) has_exchanged |= exchange(at);
      synchronise_tile<kTeam>();
    }
    if (!any_of_tile<kTeam>(has_exchanged)) return true;
  }
  return false;
}

/// Loads a row and sorts it. Returns the form of the items.
template <BitonicTeam kTeam>
__device__ RowCuts sort_cut(const RowArrays<RowCuts>& rows, std::uint64_t row, unsigned lane,
                            std::uint64_t (&items)[kTeam.items], const RowCuts::Tile& tile, unsigned thread) {
  const unsigned begin = thread / kTeam.threads * kTeam.capacity();
  const LoadedCut loaded = load_cut<kTeam>(rows, row, lane, items, tile);
  const RowInTwoSorts<kTeam> in_two_sorts(rows, row, lane, loaded.form, tile, thread);
  bool takes_two = loaded.is_crowded;
  while (true) {  // at most twice, with the network once in the code
    if (takes_two) in_two_sorts.sort_by_low_bits(items);
    sort_to_tile<kTeam>(items, tile, thread);
    if (takes_two) {
      in_two_sorts.load_sorted(items);
      return loaded.form;
    }
    if (mend_cut<kTeam>(rows, row, lane, loaded.form, tile, begin)) {
      load_from_tile<kTeam>(items, tile, begin + lane);
      return loaded.form;
    }
    takes_two = true;
  }
}

}  // namespace sortie::kernels
