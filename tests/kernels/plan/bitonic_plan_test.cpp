#include "kernels/bitonic/bitonic_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

/// Makes the steps of one group. Positions behind the end count as infinities.
void merge_group(std::vector<std::uint32_t>& keys, std::uint64_t group, unsigned items, std::uint64_t size,
                 bool mirrored) {
  const auto exchange = [&](unsigned low, unsigned high) {
    const std::uint64_t low_position = group_position(group, low, items, size, mirrored);
    const std::uint64_t high_position = group_position(group, high, items, size, mirrored);
    ASSERT_LT(low_position, high_position);
    if (high_position < keys.size() && keys[high_position] < keys[low_position])
      std::swap(keys[low_position], keys[high_position]);
  };
  for (unsigned i = 0; mirrored && i < items / 2; ++i) exchange(i, items - 1 - i);
  for (unsigned half = mirrored ? items / 4 : items / 2; half > 0; half /= 2) {
    for (unsigned i = 0; i < items; ++i) {
      if ((i & half) == 0) exchange(i, i + half);
    }
  }
}

/// Runs the whole network on the host, in groups, as if a tile were one item.
std::vector<std::uint32_t> sort_by_groups(std::vector<std::uint32_t> keys) {
  for (std::uint64_t merged = 2; merged / 2 < keys.size(); merged *= 2) {
    bool mirrored = true;
    for (std::uint64_t size = merged; size > 1;) {
      const unsigned items = group_items(size, 1);
      const std::uint64_t groups = group_count(keys.size(), items, size);
      for (std::uint64_t group = 0; group < groups; ++group) merge_group(keys, group, items, size, mirrored);
      size /= items;
      mirrored = false;
    }
  }
  return keys;
}

TEST(BitonicPlan, GroupsSortAnyLength) {
  for (std::uint64_t size = 0; size < 300; ++size) {
    std::vector<std::uint32_t> keys = make_keys<std::uint32_t>(Distribution::kUniform, size, size);
    const std::vector<std::uint32_t> sorted = sort_by_groups(keys);
    std::ranges::sort(keys);
    ASSERT_EQ(sorted, keys) << size << " keys";
  }
}

TEST(BitonicPlan, EveryPlaceIsInOneGroup) {
  for (const bool mirrored : {false, true}) {
    for (const unsigned items : {2U, 4U, 8U}) {
      for (const std::uint64_t size : {8ULL, 16ULL, 64ULL}) {
        std::vector<int> seen(128);
        for (std::uint64_t group = 0; group < group_count(128, items, size); ++group) {
          for (unsigned i = 0; i < items; ++i) ++seen[group_position(group, i, items, size, mirrored)];
        }
        EXPECT_EQ(seen, std::vector<int>(128, 1)) << items << " items, size " << size;
      }
    }
  }
}

TEST(BitonicPlan, GroupsTakeNoStepThatATileCanTake) {
  for (std::uint64_t size = 2 * std::uint64_t{kBitonicTile}; size < std::uint64_t{1} << 40; size *= 2) {
    EXPECT_GE(size / group_items(size, kBitonicTile), kBitonicTile);
  }
}

TEST(BitonicPlan, PaddedPlacesDoNotCollideAndFit) {
  for (const unsigned item_bytes : {4, 8, 12, 16}) {
    for (unsigned i = 0; i < 4096; ++i) {
      EXPECT_LT(padded_position(i, item_bytes), padded_position(i + 1, item_bytes));
      EXPECT_LT(padded_position(i, item_bytes), padded_items(i + 1, item_bytes));
    }
    EXPECT_EQ(padded_items(1000, item_bytes) % 4, 0U);
  }
}

TEST(BitonicPlan, PaddedPlacesOfThreadsMeetInNoBank) {
  for (const unsigned thread_items : {1, 2, 4, 8, 16, 32}) {
    std::vector<unsigned> words(32);
    for (unsigned lane = 0; lane < 32; ++lane) ++words[padded_position(lane * thread_items, 4) % 32];
    EXPECT_EQ(words, std::vector<unsigned>(32, 1)) << thread_items << " words a thread";
  }
}

}  // namespace
}  // namespace sortie::kernels
