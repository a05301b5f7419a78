#include "kernels/merge_sort/register_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

/// A network that sorts every sequence of zeros and ones sorts everything.
template <unsigned kItems>
void expect_keys_sorted_whatever_they_are() {
  for (unsigned bits = 0; bits < 1U << kItems; ++bits) {
    unsigned keys[kItems];
    for (unsigned i = 0; i < kItems; ++i) keys[i] = bits >> i & 1;
    sort_keys_in_registers(keys);
    ASSERT_TRUE(std::ranges::is_sorted(keys)) << kItems << " keys, bits " << bits;
  }
}

TEST(RegisterSort, NetworkSortsEverySequenceOfZerosAndOnes) {
  expect_keys_sorted_whatever_they_are<1>();
  expect_keys_sorted_whatever_they_are<2>();
  expect_keys_sorted_whatever_they_are<3>();
  expect_keys_sorted_whatever_they_are<8>();
  expect_keys_sorted_whatever_they_are<9>();
  expect_keys_sorted_whatever_they_are<17>();
}

TEST(RegisterSort, LongerListsAreSortedToo) {
  for (const Distribution distribution : kAllDistributions) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto given = make_keys<std::uint64_t>(distribution, 33, seed);
      std::uint64_t keys[33];
      std::ranges::copy(given, keys);
      sort_keys_in_registers(keys);
      auto expected = given;
      std::ranges::sort(expected);
      ASSERT_TRUE(std::ranges::equal(keys, expected)) << to_string(distribution) << ", seed " << seed;
    }
  }
}

TEST(RegisterSort, TranspositionSortsStablyEverySequenceOfZerosAndOnes) {
  constexpr unsigned kItems = 9;
  for (unsigned bits = 0; bits < 1U << kItems; ++bits) {
    std::pair<unsigned, unsigned> items[kItems];
    for (unsigned i = 0; i < kItems; ++i) items[i] = {bits >> i & 1, i};
    sort_stably_in_registers(items, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (unsigned i = 1; i < kItems; ++i) ASSERT_LT(items[i - 1], items[i]) << "bits " << bits;
  }
}

}  // namespace
}  // namespace sortie::kernels
