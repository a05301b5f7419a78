#include <sortie/sort_array.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/distributions.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

ArrayOptions on_cpu(bool descending = false) {
  ArrayOptions options;
  options.engine = EngineChoice::kCpu;
  options.descending = descending;
  return options;
}

TEST(SortArray, SortsNumbersOfAllDistributions) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    // Up to 65,536 are sorted by the calling thread alone.
    for (const std::uint64_t count : {0, 1, 2, 1000, 65'536, 65'537, 200'003}) {
      SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " numbers, seed 51");
      const std::vector<std::uint32_t> input = make_keys<std::uint32_t>(distribution, count, 51);
      std::vector<std::uint32_t> output(count);
      sort_array<std::uint32_t>(input, output, on_cpu());
      std::vector<std::uint32_t> expected = input;
      std::ranges::sort(expected);
      EXPECT_EQ(output, expected);
    }
  }
}

TEST(SortArray, SortsInPlaceDescending) {
  std::vector<std::int64_t> numbers;
  for (const std::uint64_t n : make_keys<std::uint64_t>(Distribution::kUniform, 100'000, 52)) {
    numbers.push_back(static_cast<std::int64_t>(n));
  }
  std::vector<std::int64_t> expected = numbers;
  ArraySorter sorter(on_cpu(true));
  sorter.sort<std::int64_t>(numbers, numbers);
  std::ranges::sort(expected, std::greater{});
  EXPECT_EQ(numbers, expected);
  EXPECT_EQ(sorter.engine(), "cpu");
}

TEST(SortArray, FloatsAreInTotalOrder) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> input = {nan, 1.5, -0.0, 0.0, -infinity, -nan, infinity, -1.5};
  const std::vector<double> expected = {-nan, -infinity, -1.5, -0.0, 0.0, 1.5, infinity, nan};
  std::vector<double> output(input.size());
  sort_array<double>(input, output, on_cpu());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(output[i]), std::bit_cast<std::uint64_t>(expected[i])) << "place " << i;
  }
}

TEST(SortArray, EndsWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  ArrayOptions options = on_cpu();
  options.stop = stop.get_token();
  for (const std::uint64_t count : {3, 100'000}) {
    std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, count, 58);
    EXPECT_THROW(sort_array<std::uint64_t>(numbers, numbers, options), Stopped) << count << " numbers";
  }
}

TEST(SortArray, OneSorterTakesFewAndManyNumbersInTurn) {
  ArraySorter sorter(on_cpu());
  for (const std::uint64_t count : {3, 100'000, 5, 200'000}) {
    std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, count, 59);
    std::vector<std::uint64_t> expected = numbers;
    sorter.sort<std::uint64_t>(numbers, numbers);
    std::ranges::sort(expected);
    EXPECT_EQ(numbers, expected) << count << " numbers";
  }
}

TEST(SortArray, RefusesAnOutputOfAnotherLength) {
  const std::vector<float> input(3);
  std::vector<float> output(2);
  EXPECT_THROW(sort_array<float>(input, output, on_cpu()), Error);
}

}  // namespace
}  // namespace sortie
