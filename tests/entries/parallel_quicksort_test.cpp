// No order of the items may cost more than O(n log n) comparisons or more than a little stack, not even one made by an
// adversary that knows every pivot.
#include "entries/parallel_quicksort.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>

#include "support/killer_adversary.hpp"

namespace sortie {
namespace {

using test::KillerAdversary;

constexpr std::uint32_t kItems = 4 * kQuicksortTaskItems;

TEST(ParallelQuicksort, SortsWithFewComparisonsAndLittleStackAgainstAnAdversary) {
  KillerAdversary adversary(kItems);
  std::vector<std::uint32_t> items = adversary.items();
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return adversary.less(a, b); };
  ThreadTeam(1).run([&] { parallel_quicksort(std::span(items), less); });
  EXPECT_LT(adversary.comparisons(), 8 * kItems * std::uint64_t{std::bit_width(kItems)});
  EXPECT_LT(adversary.stack_bytes(), 100'000U);
  const std::vector<std::uint32_t> values = adversary.values();
  EXPECT_TRUE(std::ranges::is_sorted(items, {}, [&](std::uint32_t item) { return values[item]; }));
}

TEST(ParallelQuicksort, HasALevelForEveryCutOfRandomItems) {
  std::vector<std::uint32_t> items(kItems);
  std::iota(items.begin(), items.end(), 0);
  std::shuffle(items.begin(), items.end(), std::mt19937_64(3));
  std::size_t longest_rest = 0;
  const auto sort_rest = [&](std::span<std::uint32_t> rest) {
    longest_rest = std::max(longest_rest, rest.size());
    std::ranges::sort(rest);
  };
  ThreadTeam(1).run(
      [&] { parallel_quicksort(std::span(items), std::less<>(), sort_rest, quicksort_end(items.size())); });
  EXPECT_LE(longest_rest, kQuicksortTaskItems);
  EXPECT_TRUE(std::ranges::is_sorted(items));
}

TEST(ParallelQuicksort, SortsItemsThatAreAllEqual) {
  std::vector<std::uint32_t> items(kItems, 7);
  parallel_quicksort(std::span(items), std::less<>());
  EXPECT_EQ(items, std::vector<std::uint32_t>(kItems, 7));
}

}  // namespace
}  // namespace sortie
