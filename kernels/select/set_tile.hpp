// What a tile of a set operation keeps. Two sorted lists are walked side by side: the n-th item of a key in one list is
// matched by the n-th item of that key in the other one, and both are taken at once. Tiles, and the shares of their
// threads, begin where that walk stands after some number of items: the balanced path.
//
//   first list    a a b b b c     the walk   aA a B bB bB b c D     share of items [0, 3): aA a, or [0, 4): aA a B
//   second list   A B B D
//
// A share begins at a multiple of its length, or one item later, so that no pair is taken apart. Runs of equal keys
// that a share takes the rest of look like fresh ones: its first items of either list match. Host and device functions,
// tested without a GPU. Green, Odeh and Birk, "Merge Path", 2014; Baxter, "Modern GPU", 2013, for balanced paths.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/common/unroll.hpp"
#include "kernels/merge/merge_path.hpp"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

struct CodesAscend {
  template <class Code>
  SORTIE_HD bool operator()(Code a, Code b) const {
    return a < b;
  }
};

/// How many items of either list come before a place in the walk.
template <class Count>
struct SetCut {
  Count first;
  Count second;
};

/// Where the run of items with this code begins that ends in front of item `end`; `end` if there is none. Looks back in
/// steps that double: most runs are short.
template <class List, class Count, class Code>
SORTIE_HD Count run_begin(const List& list, Count end, const Code& code) {
  Count high = end;  // a known item of the run, or its end
  Count step = 1;
  while (step <= end && !(list[end - step] < code)) {
    high = end - step;
    step *= 2;
  }
  return lower_rank<Count>(list, step <= end ? end - step + 1 : 0, high, code, CodesAscend());
}

/// The place in the walk in front of which there are `diagonal` items, or one more, and `cut` in the merged order of
/// both lists, where equal items of the first one come first.
template <class List, class OtherList, class Count>
SORTIE_HD SetCut<Count> balanced_cut(const List& first, const OtherList& second, Count second_count,
                                     SetCut<Count> cut) {
  if (cut.second >= second_count) return cut;  // no item of the second list is left to match
  const auto code = second[cut.second];
  const Count first_begin = run_begin(first, cut.first, code);
  const Count second_begin = run_begin(second, cut.second, code);
  const Count of_first = cut.first - first_begin;
  const Count taken = of_first + (cut.second - second_begin);
  if (taken == 0) return cut;
  const Count half = taken / 2 + taken % 2;
  // Merged order has taken all items of the run in the first list before one of the second.
  if (of_first < half) return {first_begin + of_first, second_begin + (taken - of_first)};
  const Count most = second_count - second_begin < half ? second_count - second_begin : half;
  Count of_second = most;
  if (most < half || code < second[second_begin + half - 1]) {
    of_second = upper_rank<Count>(second, cut.second, second_begin + most, code, CodesAscend()) - second_begin;
  }
  if (of_second < half) return {first_begin + (taken - of_second), second_begin + of_second};
  return {first_begin + half, second_begin + half};
}

/// balanced_cut() of the first `diagonal` items of two lists.
template <class List, class OtherList, class Count>
SORTIE_HD SetCut<Count> set_cut(const List& first, Count first_count, const OtherList& second, Count second_count,
                                Count diagonal) {
  const Count a = merge_path<Count>(first, first_count, second, second_count, diagonal, CodesAscend());
  return balanced_cut(first, second, second_count, SetCut<Count>{a, diagonal - a});
}

/// The items of a tile, as codes: those of the first list, then those of the second one.
template <class Bits>
struct SetTile {
  const Bits* codes;
  unsigned first_count;
  unsigned second_count;

  SORTIE_HD unsigned count() const { return first_count + second_count; }

  /// Where the share begins that has `begin` items in front of it.
  SORTIE_HD SetCut<unsigned> cut(unsigned begin) const {
    if (begin >= count()) return {first_count, second_count};
    const SetCut<unsigned> cut = set_cut(codes, first_count, codes + first_count, second_count, begin);
    return {cut.first < first_count ? cut.first : first_count, cut.second < second_count ? cut.second : second_count};
  }
};

/// Which items are kept, as masks of all bits or none.
struct KeptKinds {
  unsigned first_only;   ///< items that the first list alone has
  unsigned second_only;  ///< items that the second list alone has
  unsigned pairs;

  SORTIE_HD constexpr unsigned of_steps(unsigned from_first, unsigned from_second) const {
    return (from_first & from_second & pairs) | (from_first & ~from_second & first_only) |
           (from_second & ~from_first & second_only);
  }
};

SORTIE_HD constexpr KeptKinds kept_kinds(SetSelection selection) {
  switch (selection) {
    case SetSelection::kUnion:
      return {~0U, ~0U, ~0U};
    case SetSelection::kIntersection:
      return {0, 0, ~0U};
    case SetSelection::kDifference:
      return {~0U, 0, 0};
    default:
      return {~0U, ~0U, 0};
  }
}

/// What a thread walks over, at most kItems + 1 items; a pair is one step.
template <class Bits, unsigned kItems>
struct SetShare {
  static constexpr unsigned kSteps = kItems + 1;
  static_assert(kSteps <= 32);

  Bits codes[kSteps];
  std::uint16_t slots[kSteps];  ///< the item's place in the tile
  unsigned kept;                ///< bit k: what step k takes is kept

  /// Reads the code behind the last one of the tile, too, whatever it is: that is faster than not to.
  SORTIE_HD void walk(const SetTile<Bits>& tile, SetCut<unsigned> at, const SetCut<unsigned>& end,
                      const KeptKinds& kinds) {
    const Bits* const second = tile.codes + tile.first_count;
    unsigned from_first = 0;   // bit k: step k takes an item of the first list
    unsigned from_second = 0;  // bit k: of the second one
    Bits a = tile.codes[at.first];
    Bits b = second[at.second];
    SORTIE_UNROLL
    for (unsigned k = 0; k < kSteps; ++k) {
      const bool has_first = at.first < end.first;
      const bool has_second = at.second < end.second;
      if (k >= kSteps / 2 && k % 4 == 0 && !has_first && !has_second) break;  // pairs take half as many steps
      const bool takes_first = has_first && (!has_second || !(b < a));
      const bool takes_second = has_second && (!has_first || !(a < b));
      codes[k] = takes_first ? a : b;
      slots[k] = static_cast<std::uint16_t>(takes_first ? at.first : tile.first_count + at.second);
      if (takes_first) {
        from_first |= 1U << k;
        a = tile.codes[++at.first];
      }
      if (takes_second) {
        from_second |= 1U << k;
        b = second[++at.second];
      }
    }
    kept = kinds.of_steps(from_first, from_second);
  }
};

}  // namespace sortie::kernels
