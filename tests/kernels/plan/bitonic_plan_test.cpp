#include "kernels/bitonic_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

/// The whole network on the host, comparators that reach past the end left out.
std::vector<std::uint32_t> sort_by_network(std::vector<std::uint32_t> keys) {
  const auto step = [&](std::uint64_t size, auto comparator) {
    for (std::uint64_t i = 0; i < comparator_count(keys.size(), size); ++i) {
      const Comparator places = comparator(i, size);
      if (places.high < keys.size() && keys[places.high] < keys[places.low]) {
        std::swap(keys[places.low], keys[places.high]);
      }
    }
  };
  for (std::uint64_t merged = 2; merged / 2 < keys.size(); merged *= 2) {
    step(merged, mirrored_comparator);
    for (std::uint64_t size = merged / 2; size >= 2; size /= 2) step(size, straight_comparator);
  }
  return keys;
}

TEST(BitonicPlan, NetworkSortsAnyLength) {
  for (std::uint64_t size = 0; size < 300; ++size) {
    std::vector<std::uint32_t> keys = make_keys<std::uint32_t>(Distribution::kUniform, size, size);
    const std::vector<std::uint32_t> sorted = sort_by_network(keys);
    std::ranges::sort(keys);
    ASSERT_EQ(sorted, keys) << size << " keys";
  }
}

TEST(BitonicPlan, EveryPlaceHasOneComparatorPerStep) {
  for (const std::uint64_t size : {2ULL, 8ULL, 64ULL}) {
    std::vector<int> mirrored(128);
    std::vector<int> straight(128);
    for (std::uint64_t i = 0; i < comparator_count(128, size); ++i) {
      ++mirrored[mirrored_comparator(i, size).low];
      ++mirrored[mirrored_comparator(i, size).high];
      ++straight[straight_comparator(i, size).low];
      ++straight[straight_comparator(i, size).high];
    }
    EXPECT_EQ(mirrored, std::vector<int>(128, 1));
    EXPECT_EQ(straight, std::vector<int>(128, 1));
  }
}

TEST(BitonicPlan, CountsComparatorsWhoseLowPlaceExists) {
  for (std::uint64_t count = 0; count < 70; ++count) {
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 64; ++i) expected += straight_comparator(i, 16).low < count ? 1 : 0;
    EXPECT_EQ(comparator_count(count, 16), expected) << count;
  }
}

}  // namespace
}  // namespace sortie::kernels
