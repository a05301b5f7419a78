#include "kernels/merge_sort_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/item_arrays.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

/// Pairs whose values are positions, in host memory.
struct HostPairs {
  explicit HostPairs(std::vector<std::uint32_t> given) : keys(std::move(given)), values(keys.size()) {
    std::iota(values.begin(), values.end(), 0U);
  }
  PairArray<std::uint32_t> array() { return {keys.data(), values.data()}; }
  bool stably_sorted(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (std::pair(keys[i - 1], values[i - 1]) >= std::pair(keys[i], values[i])) return false;
    }
    return true;
  }

  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> values;
};

TEST(MergeSortPlan, NetworkSortsEverySequenceOfZerosAndOnes) {
  for (unsigned count = 0; count <= 8; ++count) {
    for (unsigned bits = 0; bits < 1U << count; ++bits) {
      PairArray<std::uint32_t>::Item items[8];
      for (unsigned i = 0; i < 8; ++i) items[i] = {i < count ? bits >> i & 1 : 0, i};
      sort_in_registers(items, count, OrderByKey{});
      for (unsigned i = 1; i < count; ++i) {
        ASSERT_TRUE(std::pair(items[i - 1].key, items[i - 1].value) < std::pair(items[i].key, items[i].value))
            << count << " items, bits " << bits;
      }
      for (unsigned i = count; i < 8; ++i) ASSERT_EQ(items[i].value, i) << "what does not count must not move";
    }
  }
}

TEST(MergeSortPlan, ThreadMergesAnyTwoShortLists) {
  for (unsigned a_count = 0; a_count <= 8; ++a_count) {
    for (unsigned b_count = 0; b_count <= 8; ++b_count) {
      auto keys = make_keys<std::uint32_t>(Distribution::kFewValued, a_count + b_count, a_count * 9 + b_count);
      std::sort(keys.begin(), keys.begin() + a_count);
      std::sort(keys.begin() + a_count, keys.end());
      HostPairs pairs(keys);
      PairArray<std::uint32_t>::Item merged[16];
      merge_in_registers(pairs.array(), 0, a_count, a_count + b_count, merged, OrderByKey{});
      for (unsigned i = 0; i < a_count + b_count; ++i) pairs.array().store(i, merged[i]);
      EXPECT_TRUE(pairs.stably_sorted(0, keys.size())) << a_count << " and " << b_count;
    }
  }
}

TEST(MergeSortPlan, MergedPlacesAreThoseOfTheStableMerge) {
  for (const Distribution distribution : kAllDistributions) {
    for (const unsigned list_items : {1U, 16U, 64U}) {
      for (const unsigned count : {1U, 16U, 17U, 100U, 128U, 300U}) {
        auto keys = make_keys<std::uint32_t>(distribution, count, count);
        for (unsigned begin = 0; begin < count; begin += list_items) {
          std::sort(keys.begin() + begin, keys.begin() + std::min(begin + list_items, count));
        }
        HostPairs pairs(keys);
        HostPairs merged(std::vector<std::uint32_t>(count, 0xffffffff));
        for (unsigned i = 0; i < count; ++i) {
          const unsigned place = merged_place(pairs.array(), i, list_items, count, OrderByKey{});
          ASSERT_LT(place, count);
          merged.array().store(place, pairs.array().load(i));
        }
        for (unsigned begin = 0; begin < count; begin += 2 * list_items) {
          ASSERT_TRUE(merged.stably_sorted(begin, std::min(begin + 2 * list_items, count)))
              << to_string(distribution) << ", lists of " << list_items << " in " << count;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
