#include "kernels/select/set_tile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

using Codes = std::vector<std::uint32_t>;

constexpr unsigned kItems = 3;
constexpr unsigned kTileItems = 5 * kItems;  // five threads

constexpr SetSelection kSelections[] = {SetSelection::kUnion, SetSelection::kIntersection, SetSelection::kDifference,
                                        SetSelection::kSymmetricDifference};

/// An item of either list: items of the second list are numbered behind those of the first one.
struct Item {
  std::uint32_t code;
  std::uint64_t number;

  bool operator<(const Item& other) const { return code < other.code; }
};

std::vector<Item> items_of(const Codes& codes, std::uint64_t first_number) {
  std::vector<Item> items;
  for (std::uint64_t i = 0; i < codes.size(); ++i) items.push_back({codes[i], first_number + i});
  return items;
}

std::vector<std::uint64_t> expected(SetSelection selection, const Codes& first, const Codes& second) {
  const std::vector<Item> a = items_of(first, 0);
  const std::vector<Item> b = items_of(second, first.size());
  std::vector<Item> kept;
  const auto out = std::back_inserter(kept);
  if (selection == SetSelection::kUnion) std::ranges::set_union(a, b, out, std::less<>());
  if (selection == SetSelection::kIntersection) std::ranges::set_intersection(a, b, out, std::less<>());
  if (selection == SetSelection::kDifference) std::ranges::set_difference(a, b, out, std::less<>());
  if (selection == SetSelection::kSymmetricDifference) {
    std::ranges::set_symmetric_difference(a, b, out, std::less<>());
  }
  std::vector<std::uint64_t> numbers;
  for (const Item& item : kept) numbers.push_back(item.number);
  return numbers;
}

/// What all threads of all tiles keep together, in their order.
std::vector<std::uint64_t> kept_by_tiles(SetSelection selection, const Codes& first, const Codes& second) {
  const std::uint64_t count = first.size() + second.size();
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t begin = 0; begin < count; begin += kTileItems) {
    const auto cut_at = [&](std::uint64_t diagonal) {
      return set_cut<Codes, Codes, std::uint64_t>(first, first.size(), second, second.size(),
                                                  std::min(diagonal, count));
    };
    const SetCut<std::uint64_t> cut = cut_at(begin);
    const SetCut<std::uint64_t> end = cut_at(begin + kTileItems);
    Codes codes(first.begin() + cut.first, first.begin() + end.first);
    codes.insert(codes.end(), second.begin() + cut.second, second.begin() + end.second);
    EXPECT_LE(codes.size(), kTileItems + 1);
    codes.push_back(0);  // read, and not taken
    const SetTile<std::uint32_t> tile{codes.data(), static_cast<unsigned>(end.first - cut.first),
                                      static_cast<unsigned>(end.second - cut.second)};
    for (unsigned begin_of_share = 0; begin_of_share < kTileItems; begin_of_share += kItems) {
      const bool is_last = begin_of_share + kItems == kTileItems;
      const SetCut<unsigned> share_end =
          is_last ? SetCut<unsigned>{tile.first_count, tile.second_count} : tile.cut(begin_of_share + kItems);
      SetShare<std::uint32_t, kItems> share;
      share.walk(tile, tile.cut(begin_of_share), share_end, kept_kinds(selection));
      for (unsigned kept = share.kept; kept != 0; kept &= kept - 1) {
        const int step = std::countr_zero(kept);
        const unsigned slot = share.slots[step];
        EXPECT_EQ(share.codes[step], codes[slot]);
        numbers.push_back(slot < tile.first_count ? cut.first + slot
                                                  : first.size() + cut.second + (slot - tile.first_count));
      }
    }
  }
  return numbers;
}

Codes sorted_codes(Distribution distribution, std::uint64_t count, std::uint64_t seed) {
  Codes codes = make_keys<std::uint32_t>(distribution, count, seed);
  std::ranges::sort(codes);
  return codes;
}

TEST(SetTile, KeepsWhatTheStandardLibraryKeeps) {
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t first_count : {0, 1, 14, 15, 16, 100, 301}) {
      for (const std::uint64_t second_count : {0, 1, 15, 99, 300}) {
        const Codes first = sorted_codes(distribution, first_count, 121);
        const Codes second = sorted_codes(distribution, second_count, 122);
        for (const SetSelection selection : kSelections) {
          ASSERT_EQ(kept_by_tiles(selection, first, second), expected(selection, first, second))
              << to_string(distribution) << ", " << first_count << " and " << second_count << " items, selection "
              << static_cast<int>(selection);
        }
      }
    }
  }
}

/// Runs of equal keys shorter and longer than a share and a tile, in one list or both.
TEST(SetTile, MatchesRunsOfAnyLength) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::uint64_t state = seed;
    const auto next = [&](std::uint64_t below) { return (state = scramble(state + 1)) % below; };
    Codes lists[2];
    for (std::uint32_t key = 0; key < 12; ++key) {
      for (Codes& list : lists) list.insert(list.end(), next(3) == 0 ? next(40) : next(4), key);
    }
    for (const SetSelection selection : kSelections) {
      ASSERT_EQ(kept_by_tiles(selection, lists[0], lists[1]), expected(selection, lists[0], lists[1])) << seed;
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
