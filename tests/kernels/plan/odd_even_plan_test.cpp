#include "kernels/odd_even/odd_even_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kHalf = 4;

/// Runs all phases on the host.
std::vector<std::uint32_t> sort_by_phases(std::vector<std::uint32_t> keys, std::uint64_t list_items) {
  const std::uint64_t phases = odd_even_phase_count(std::min<std::uint64_t>(list_items, keys.size()), kHalf);
  for (unsigned phase = 0; phase < phases; ++phase) {
    for (std::uint64_t span = 0; span < odd_even_span_count(keys.size(), kHalf); ++span) {
      const OddEvenSpan position = odd_even_span(span, phase, list_items, keys.size(), kHalf);
      std::sort(keys.begin() + position.begin, keys.begin() + position.begin + position.count);
    }
  }
  return keys;
}

TEST(OddEvenPlan, AsManyPhasesAsHalvesSortAnyLength) {
  for (const Distribution distribution : kAllDistributions) {
    for (std::uint64_t size = 0; size < 120; ++size) {
      auto keys = make_keys<std::uint32_t>(distribution, size, size);
      const auto sorted = sort_by_phases(keys, ~std::uint64_t{0});
      std::ranges::sort(keys);
      ASSERT_EQ(sorted, keys) << to_string(distribution) << ", " << size;
    }
  }
}

TEST(OddEvenPlan, ListsDoNotMix) {
  for (const std::uint64_t list_items : {2 * kHalf, 4 * kHalf, 10 * kHalf}) {
    for (std::uint64_t size = 1; size < 120; ++size) {
      auto keys = make_keys<std::uint32_t>(Distribution::kReversed, size, size);
      const auto sorted = sort_by_phases(keys, list_items);
      for (std::uint64_t begin = 0; begin < size; begin += list_items) {
        std::sort(keys.begin() + begin, keys.begin() + std::min(begin + list_items, size));
      }
      ASSERT_EQ(sorted, keys) << size << " items in lists of " << list_items;
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
