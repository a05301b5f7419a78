#include "kernels/merge_sort/merge_sort_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/merge/merge_path.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

using Keys = std::vector<std::uint32_t>;

/// Merges lists of `list_threads` threads' items two by two. Each thread merges its share.
Keys merged_by_shares(const Keys& keys, unsigned threads, unsigned items, unsigned list_threads) {
  Keys merged(keys.size());
  for (unsigned thread = 0; thread < threads; ++thread) {
    const MergeShare share = merge_share(thread, list_threads, items);
    const std::uint32_t* a = keys.data() + share.begin;
    const std::uint32_t* b = a + share.list_items;
    unsigned from_a = merge_path<unsigned>(a, share.list_items, b, share.list_items, share.diagonal, std::less<>());
    unsigned from_b = share.diagonal - from_a;
    for (unsigned k = 0; k < items; ++k) {
      const bool takes_b = from_b < share.list_items && (from_a == share.list_items || b[from_b] < a[from_a]);
      merged[thread * items + k] = takes_b ? b[from_b++] : a[from_a++];
    }
  }
  return merged;
}

TEST(MergeSortPlan, SharesOfAllThreadsMakeUpTheMerges) {
  constexpr unsigned kThreads = 32;
  constexpr unsigned kItems = 7;
  for (const Distribution distribution : kAllDistributions) {
    Keys keys = make_keys<std::uint32_t>(distribution, kThreads * kItems, 3);
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      std::sort(keys.begin() + thread * kItems, keys.begin() + (thread + 1) * kItems);
    }
    Keys expected = keys;
    for (unsigned list_threads = 1; list_threads < kThreads; list_threads *= 2) {
      keys = merged_by_shares(keys, kThreads, kItems, list_threads);
      const unsigned merged_items = 2 * list_threads * kItems;
      for (unsigned begin = 0; begin < expected.size(); begin += merged_items) {
        std::sort(expected.begin() + begin, expected.begin() + begin + merged_items);
      }
      ASSERT_EQ(keys, expected) << to_string(distribution) << ", lists of " << list_threads << " threads";
    }
  }
}

TEST(MergeSortPlan, PositionsInATileFitIn16Bits) {
  for (const std::size_t key_bytes : {4, 8}) {
    for (const std::size_t value_bytes : {0, 4, 8}) {
      EXPECT_LE(merge_sort_tuning(key_bytes, value_bytes).tile_items(), 1U << 16);
      EXPECT_GE(merge_sort_tuning(key_bytes, value_bytes).tile_items(), kSmallestMergeSortTile);
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
