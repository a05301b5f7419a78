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

/// Loads a row as load() does, of the form that is returned: that of this row. Two of a thread's items that differ in
/// the bits cut off alone are taken as a sample of many.
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
  return {form, any_of_tile<kTeam>(is_crowded)};
}

/// A row that is sorted in two steps. `begin`: of the team's items in the tile.
template <BitonicTeam kTeam>
class RowInTwoSorts {
 public:
  using Items = std::uint64_t[kTeam.items];

  __device__ RowInTwoSorts(const RowArrays<RowCuts>& rows, std::uint64_t row, unsigned lane, const RowCuts& form,
                           const RowCuts::Tile& tile, unsigned begin)
      : rows_(rows), row_(row), lane_(lane), left_(rows.left_of(row, lane)), form_(form), tile_(tile), begin_(begin) {}

  /// Loads what the first sort is of.
  __device__ void load_low_bits(Items& items) const {
    for_each(items,
             [&](std::uint64_t& item, unsigned place) { item = form_.low_item(rows_.code_at(row_, place), place); });
  }

  /// Leaves the places in the order of the first sort, which the tile holds, and loads what the second one is of.
  __device__ void load_high_bits(Items& items) const {
    for_each(items, [&](std::uint64_t& item, unsigned rank) {
      const unsigned place = RowCuts::place_of(sorted_item(rank));
      rows_.put_place(row_, rank, place);
      item = form_.item(rows_.code_at(row_, place), rank);
    });
    synchronise_tile<kTeam>();
  }

  /// Loads the items in the order of the second sort, which the tile holds, with their places.
  __device__ void load_sorted(Items& items) const {
    for_each(items, [&](std::uint64_t& item, unsigned at) {
      item = sorted_item(at);
      const unsigned rank = RowCuts::place_of(item);
      item = item - rank + rows_.place_at(row_, rank);
    });
    synchronise_tile<kTeam>();  // all have read the places that are overwritten now
  }

 private:
  /// Calls use(item, its number in the row) for this thread's items; those behind the end of the row become infinities.
  template <class Use>
  __device__ void for_each(Items& items, const Use& use) const {
#pragma unroll
    for (unsigned k = 0; k < kTeam.items; ++k) {
      if (k * kTeam.threads < left_) {
        use(items[k], k * kTeam.threads + lane_);
      } else {
        items[k] = RowCuts::Tile::infinity();
      }
    }
  }

  __device__ std::uint64_t sorted_item(unsigned at) const {
    return tile_.load(padded_position(begin_ + at, RowCuts::Tile::kItemBytes));
  }

  const RowArrays<RowCuts>& rows_;
  const std::uint64_t row_;
  const unsigned lane_;
  const unsigned left_;
  const RowCuts& form_;
  const RowCuts::Tile& tile_;
  const unsigned begin_;
};

/// Steps of odd-even transposition, two at a time, before a row is sorted anew. The last ones find nothing to do.
inline constexpr unsigned kMostMendings = 2;

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
  enum class Sort { kAtOnce, kOfLowBits, kOfHighBits };
  const unsigned begin = thread / kTeam.threads * kTeam.capacity();
  const LoadedCut loaded = load_cut<kTeam>(rows, row, lane, items, tile);
  const RowInTwoSorts<kTeam> in_two_sorts(rows, row, lane, loaded.form, tile, begin);
  Sort sort = Sort::kAtOnce;
  const auto begin_anew = [&] {
    in_two_sorts.load_low_bits(items);
    sort = Sort::kOfLowBits;
  };
  if (loaded.is_crowded) begin_anew();
  while (true) {  // with the network once in the code
    sort_to_tile<kTeam>(items, tile, thread);
    if (sort == Sort::kOfLowBits) {
      in_two_sorts.load_high_bits(items);
      sort = Sort::kOfHighBits;
    } else if (sort == Sort::kOfHighBits) {
      in_two_sorts.load_sorted(items);
      return loaded.form;
    } else if (mend_cut<kTeam>(rows, row, lane, loaded.form, tile, begin)) {
      load_from_tile<kTeam>(items, tile, begin + lane);
      return loaded.form;
    } else {
      begin_anew();
    }
  }
}

}  // namespace sortie::kernels
