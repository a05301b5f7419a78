#include "cuda/shards/value_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace sortie::cuda {
namespace {

/// The number of rounds until the search has found `wanted`.
unsigned rounds_to(std::uint64_t wanted, std::uint64_t greatest, unsigned tries) {
  ValueSearch search(greatest);
  unsigned rounds = 0;
  for (; !search.is_found() && rounds < 100; ++rounds) {
    std::vector<std::uint64_t> values;
    search.append_tries(tries, values);
    EXPECT_EQ(values.size(), tries);
    EXPECT_TRUE(std::ranges::is_sorted(values));
    EXPECT_LE(values.back(), greatest);
    search.narrow(tries, static_cast<unsigned>(std::ranges::lower_bound(values, wanted) - values.begin()));
  }
  EXPECT_EQ(search.value(), wanted);
  return rounds;
}

TEST(ValueSearch, FindsEveryValueOfASmallRange) {
  for (const unsigned tries : {1U, 2U, 3U, 63U, 255U}) {
    for (std::uint64_t greatest = 0; greatest < 70; ++greatest) {
      for (std::uint64_t wanted = 0; wanted <= greatest; ++wanted) rounds_to(wanted, greatest, tries);
    }
  }
}

TEST(ValueSearch, FindsTheEndsAndTheMiddleOfAllValues) {
  constexpr std::uint64_t kGreatest = std::numeric_limits<std::uint64_t>::max();
  for (const unsigned tries : {1U, 3U, 63U, 255U}) {
    for (const std::uint64_t wanted : {std::uint64_t{0}, std::uint64_t{1}, kGreatest / 2, kGreatest / 2 + 1,
                                       kGreatest / 3, kGreatest - 1, kGreatest}) {
      rounds_to(wanted, kGreatest, tries);
    }
  }
}

TEST(ValueSearch, TakesSixBitsARoundWithSixtyThreeTries) {
  EXPECT_LE(rounds_to(12345678901234567890ULL, std::numeric_limits<std::uint64_t>::max(), 63), 11U);
  EXPECT_LE(rounds_to(1234567890, 0xffffffff, 63), 6U);
  EXPECT_LE(rounds_to(1234567890, 0xffffffff, 1), 32U);
}

}  // namespace
}  // namespace sortie::cuda
