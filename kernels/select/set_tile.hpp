// What a tile of a set operation keeps. Two sorted lists are walked in merged order, the first one's items before equal
// ones of the second one. The n-th item of a key in one list is matched by the n-th item of that key in the other one.
//
//   first list    a a b b b c     in merged order   a a A b b b B B c D     merged items [t * tile, (t + 1) * tile)
//   second list   A B B D         tiles             |         |         |   are tile t, wherever keys begin
//
// A tile may begin within the items of one key: its limit says where these begin in both lists. Host and device
// functions, tested without a GPU. Green, Odeh and Birk, "Merge Path", 2014.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/common/unroll.hpp"
#include "kernels/merge/merge_path.hpp"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

inline constexpr unsigned kSetThreads = 256;

/// Items that a thread looks at: odd, to spread over the banks of shared memory. Not compared.
SORTIE_HD constexpr unsigned set_items(std::size_t key_bytes) { return key_bytes <= 4 ? 15 : 11; }
SORTIE_HD constexpr unsigned set_tile_items(std::size_t key_bytes) { return kSetThreads * set_items(key_bytes); }

struct CodesAscend {
  template <class Code>
  SORTIE_HD bool operator()(Code a, Code b) const {
    return a < b;
  }
};

/// Where a tile begins: how many items of either list come before it, and where the items of its first key begin and
/// end.
struct SetLimit {
  std::uint64_t first;
  std::uint64_t second;
  std::uint64_t first_run;
  std::uint64_t second_run;
  std::uint64_t second_run_end;
  std::uint64_t code;  ///< of the first key
};

/// The limit in front of merged item `diagonal`, at most the number of all items. Lists are read as codes.
template <class List>
SORTIE_HD SetLimit set_limit(const List& first, std::uint64_t first_count, const List& second,
                             std::uint64_t second_count, std::uint64_t diagonal) {
  const CodesAscend before;
  const std::uint64_t a = merge_path<std::uint64_t>(first, first_count, second, second_count, diagonal, before);
  const std::uint64_t b = diagonal - a;
  if (a == first_count && b == second_count) return {a, b, a, b, b, 0};
  const bool is_of_first = a < first_count && (b == second_count || !before(second[b], first[a]));
  const auto code = is_of_first ? first[a] : second[b];
  return {a,
          b,
          lower_rank(first, 0, a, code, before),
          lower_rank(second, 0, b, code, before),
          upper_rank(second, b, second_count, code, before),
          code};
}

/// The items of a tile.
template <class Bits>
struct SetTile {
  const Bits* codes;  ///< those of the first list, then those of the second one
  unsigned first_count;
  unsigned second_count;
  SetLimit limit;
  SetLimit end;  ///< the next tile's

  SORTIE_HD unsigned count() const { return first_count + second_count; }
  SORTIE_HD const Bits* second_codes() const { return codes + first_count; }
  SORTIE_HD bool takes_first(unsigned a, unsigned b) const {
    return a < first_count && (b >= second_count || !(second_codes()[b] < codes[a]));
  }
  SORTIE_HD Bits first_code() const { return takes_first(0, 0) ? codes[0] : second_codes()[0]; }
  /// Whether item `at` of the second list has this code, which is of an item of the tile. Only the next tile's first
  /// key has items here and behind the tile. The list itself is not read: nvcc 13.0 makes a choice between a load of
  /// shared memory and one of global memory a load of shared memory.
  SORTIE_HD bool second_has(std::uint64_t at, Bits code) const {
    const std::uint64_t in_tile = at - limit.second;
    if (in_tile < second_count) return second_codes()[in_tile] == code;
    return code == end.code && at < end.second_run_end;
  }
};

SORTIE_HD constexpr bool keeps(SetSelection selection, bool is_of_first, bool is_matched) {
  switch (selection) {
    case SetSelection::kUnion:
      return is_of_first || !is_matched;
    case SetSelection::kIntersection:
      return is_of_first && is_matched;
    case SetSelection::kDifference:
      return is_of_first && !is_matched;
    default:
      return !is_matched;
  }
}

/// Where the items of a key begin in the whole lists.
template <class Bits>
struct KeyRun {
  Bits code;
  std::uint64_t first;
  std::uint64_t second;
};

/// The run of the key that comes next, behind `a` and `b` items of the tile.
template <class Bits>
SORTIE_HD KeyRun<Bits> run_of_next(const SetTile<Bits>& tile, unsigned a, unsigned b) {
  const Bits code = tile.takes_first(a, b) ? tile.codes[a] : tile.second_codes()[b];
  if (code == tile.first_code()) return {code, tile.limit.first_run, tile.limit.second_run};
  return {code, tile.limit.first + lower_rank(tile.codes, 0, a, code, CodesAscend()),
          tile.limit.second + lower_rank(tile.second_codes(), 0, b, code, CodesAscend())};
}

/// Looks at up to kItems items of the tile, from merged item `begin` on. Bit k of the result: whether the k-th of them
/// is kept; slots[k] is its place in tile.codes.
template <unsigned kItems, class Bits>
SORTIE_HD unsigned kept_of_share(SetSelection selection, const SetTile<Bits>& tile, unsigned begin,
                                 unsigned (&slots)[kItems]) {
  if (begin >= tile.count()) return 0;
  unsigned a =
      merge_path<unsigned>(tile.codes, tile.first_count, tile.second_codes(), tile.second_count, begin, CodesAscend());
  unsigned b = begin - a;
  KeyRun<Bits> run = run_of_next(tile, a, b);
  unsigned kept = 0;
  SORTIE_UNROLL
  for (unsigned k = 0; k < kItems; ++k) {
    if (begin + k >= tile.count()) break;
    const bool is_of_first = tile.takes_first(a, b);
    const Bits code = is_of_first ? tile.codes[a] : tile.second_codes()[b];
    const std::uint64_t first_at = tile.limit.first + a;
    const std::uint64_t second_at = tile.limit.second + b;
    if (code != run.code) run = {code, first_at, second_at};
    const std::uint64_t first_rank =
        first_at - run.first;  // for an item of the second list: how many the first one has
    const bool is_matched = is_of_first
                                ? selection != SetSelection::kUnion && tile.second_has(run.second + first_rank, code)
                                : second_at - run.second < first_rank;
    if (keeps(selection, is_of_first, is_matched)) kept |= 1U << k;
    slots[k] = is_of_first ? a : tile.first_count + b;
    a += is_of_first ? 1 : 0;
    b += is_of_first ? 0 : 1;
  }
  return kept;
}

}  // namespace sortie::kernels
