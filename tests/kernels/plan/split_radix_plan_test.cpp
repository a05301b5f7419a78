#include "kernels/split_radix/split_radix_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "kernels/common/item_arrays.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

TEST(SplitRadixPlan, EveryItemOfATileHasAPlaceOfItsOwn) {
  std::set<unsigned> positions;
  for (unsigned i = 0; i < kSplitTile; ++i) {
    EXPECT_LT(tile_position(i), kSplitPositions);
    positions.insert(tile_position(i));
  }
  EXPECT_EQ(positions.size(), kSplitTile);
}

TEST(SplitRadixPlan, NeighboursMeetDifferentBanks) {
  for (unsigned first = 0; first < kSplitTile; first += 32) {
    std::set<unsigned> banks;
    for (unsigned i = first; i < first + 32; ++i) banks.insert(tile_position(i) % 32);
    EXPECT_EQ(banks.size(), 32U);
  }
}

TEST(SplitRadixPlan, ListLengthsAddUpToTheTile) {
  for (unsigned count = 0; count <= kSplitTile; ++count) {
    unsigned sum = 0;
    for (unsigned list = 0; list < kSplitLists; ++list) sum += list_length(list, count);
    ASSERT_EQ(sum, count);
  }
}

TEST(SplitRadixPlan, SplittingByAllBitsSortsAListStably) {
  for (const Distribution distribution : kAllDistributions) {
    for (const unsigned length : {0U, 1U, 5U, kSplitListItems}) {
      const unsigned list = 7;
      auto keys = make_keys<std::uint32_t>(distribution, length, 1);
      for (std::uint32_t& key : keys) key %= 16;
      std::vector<std::uint32_t> areas[4];
      for (auto& area : areas) area.resize(kSplitPositions);
      const PairArray<std::uint32_t> sides[2] = {{areas[0].data(), areas[1].data()},
                                                 {areas[2].data(), areas[3].data()}};
      for (std::uint32_t i = 0; i < length; ++i) sides[0].store(list_position(list, i), {keys[i], i});
      for (unsigned bit = 0; bit < 4; ++bit) split_list(sides[bit % 2], sides[1 - bit % 2], list, length, bit);
      for (unsigned i = 1; i < length; ++i) {
        const auto left = sides[0].load(list_position(list, i - 1));
        const auto right = sides[0].load(list_position(list, i));
        ASSERT_LT(std::pair(left.key, left.value), std::pair(right.key, right.value)) << to_string(distribution);
      }
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
