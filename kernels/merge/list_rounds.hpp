// Merges lists that lie side by side in one array, two by two, until one is left: the rounds of a tile of a list merge
// in shared memory. In a round each thread makes a few neighbouring items of the result of a pair of lists. Host and
// device code, so that the rounds are tested without a GPU. Green, Odeh and Birk, "Merge Path", 2014, for the share of
// a thread.
#pragma once

#include "base/host_device.hpp"
#include "kernels/common/unroll.hpp"
#include "kernels/merge/merge_path.hpp"

namespace sortie::kernels {

/// Where the lists of a tile lie, none of which is empty. At first list i has its own position. What a round has merged
/// begins at `phase`, without gaps:
///
///   round 0   |  | list 0 |   | list 1 |  | list 2 |
///   round 1   phase | lists 0 and 1 | list 2 |
///   round 2   phase | lists 0, 1 and 2 |
struct RoundLists {
  const unsigned* positions;  ///< of the lists in round 0
  const unsigned* starts;     ///< list_count + 1 numbers of items that lie in front of each list, ascending from 0
  unsigned list_count;
  unsigned phase;
  unsigned round;

  SORTIE_HD unsigned pair_count() const { return ((list_count - 1) >> (round + 1)) + 1; }
  /// Items in front of list `list` of this round; the number of all items if there is none.
  SORTIE_HD unsigned start(unsigned list) const {
    const unsigned first = list << round;
    return starts[first < list_count ? first : list_count];
  }
  SORTIE_HD unsigned position(unsigned list) const {
    if (round > 0) return phase + start(list);
    return list < list_count ? positions[list] : 0;
  }
};

/// Whether there is another round. There is a first one even for a single list, which is moved to `phase`.
SORTIE_HD inline bool needs_round(unsigned list_count, unsigned round) {
  return round == 0 || (list_count - 1) >> round != 0;
}

/// Two lists of a round as ranges of positions. The second may be empty.
struct ListPair {
  SORTIE_HD ListPair(const RoundLists& lists, unsigned pair)
      : a(lists.position(2 * pair)),
        b(lists.position(2 * pair + 1)),
        a_end(a + lists.start(2 * pair + 1) - lists.start(2 * pair)),
        b_end(b + lists.start(2 * pair + 2) - lists.start(2 * pair + 1)) {}

  unsigned a;
  unsigned b;
  unsigned a_end;
  unsigned b_end;
};

/// The threads that shares of `items` items take at most. Pair p has those from start / items + p on, which are enough
/// for it, so that no thread needs to know of two pairs.
SORTIE_HD constexpr unsigned most_shares(unsigned item_count, unsigned list_count, unsigned items) {
  return item_count / items + (list_count + 1) / 2;
}

/// What one thread makes in a round: items [first, first + count) of the result of one pair.
struct RoundShare {
  unsigned pair;
  unsigned first;
  unsigned count;  ///< 0: the thread has nothing to do
};

SORTIE_HD inline RoundShare round_share(const RoundLists& lists, unsigned thread, unsigned items) {
  unsigned low = 0;
  unsigned high = lists.pair_count() - 1;
  while (low < high) {
    const unsigned middle = high - (high - low) / 2;
    if (lists.start(2 * middle) / items + middle <= thread) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const unsigned start = lists.start(2 * low);
  const unsigned pair_count = lists.start(2 * low + 2) - start;
  const unsigned first = (thread - start / items - low) * items;
  if (first >= pair_count) return {low, 0, 0};
  return {low, first, pair_count - first < items ? pair_count - first : items};
}

/// Merges the items of a share. Sets keys[k] to its item k as `before` compares it, and slots[k] to its position.
/// `from(position)` is the sequence of the items from `position` on. Reads up to kItems items past the ends of lists,
/// and ignores them.
template <unsigned kItems, class From, class Order>
SORTIE_HD void merge_share(const RoundLists& lists, const RoundShare& share, const From& from, const Order& before,
                           typename Order::Key (&keys)[kItems], unsigned (&slots)[kItems]) {
  ListPair pair(lists, share.pair);
  const unsigned from_a =
      merge_path<unsigned>(from(pair.a), pair.a_end - pair.a, from(pair.b), pair.b_end - pair.b, share.first, before);
  pair.a += from_a;
  pair.b += share.first - from_a;
  const auto items = from(0);
  auto next_a = items[pair.a];
  auto next_b = items[pair.b];
  SORTIE_UNROLL
  for (unsigned k = 0; k < kItems; ++k) {
    const bool take_b = pair.b < pair.b_end && (pair.a >= pair.a_end || before(next_b, next_a));
    keys[k] = before.key_of(take_b ? next_b : next_a);
    slots[k] = take_b ? pair.b : pair.a;
    pair.a += take_b ? 0 : 1;
    pair.b += take_b ? 1 : 0;
    const auto next = items[take_b ? pair.b : pair.a];
    next_a = take_b ? next_a : next;
    next_b = take_b ? next : next_b;
  }
}

}  // namespace sortie::kernels
