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

TEST(SortArray, CountsNumbersOfOneOrTwoBytes) {
  for (const std::uint64_t count : {0, 1, 2, 24, 25, 1000, 20'000, 1'500'000}) {
    const auto keys = make_keys<std::uint32_t>(Distribution::kUniform, count, 61);
    std::vector<std::int8_t> bytes(keys.begin(), keys.end());
    std::vector<std::int8_t> sorted(count);
    sort_array<std::int8_t>(bytes, sorted, on_cpu());
    std::ranges::sort(bytes);
    EXPECT_EQ(sorted, bytes) << count;
    std::vector<std::uint16_t> words(keys.begin(), keys.end());
    std::vector<std::uint16_t> expected = words;
    sort_array<std::uint16_t>(words, words, on_cpu(true));
    std::ranges::sort(expected, std::greater{});
    EXPECT_EQ(words, expected) << count;
  }
}

// Every bit pattern, by the order of the same numbers as floats.
TEST(SortArray, HalfFloatsAreInTotalOrder) {
  std::vector<std::uint16_t> halves(1 << 16);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i * 40'503);
  for (const std::size_t count : {std::size_t{20}, std::size_t{5000}, halves.size()}) {
    std::vector<std::uint16_t> some(halves.begin(), halves.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<std::uint16_t> sorted(count);
    ArraySorter(on_cpu()).sort_bytes(std::as_bytes(std::span(some)), std::as_writable_bytes(std::span(sorted)),
                                     FieldKind::kFloat, 2);
    // Negative ones have their magnitudes the other way round.
    std::ranges::sort(some, std::less{}, [](std::uint16_t bits) {
      return bits < 0x8000 ? static_cast<int>(bits) : 0x7fff - static_cast<int>(bits);
    });
    EXPECT_EQ(sorted, some);
  }
}

TEST(SortArray, SortsEachRowByItself) {
  for (const std::size_t length : {1, 3, 25, 5000, 100'000}) {
    auto numbers = make_keys<std::uint32_t>(Distribution::kUniform, 3 * length, 62);
    std::vector<std::uint32_t> sorted(numbers.size());
    ArraySorter(on_cpu()).sort_bytes(std::as_bytes(std::span(numbers)), std::as_writable_bytes(std::span(sorted)),
                                     FieldKind::kUnsigned, 4, length);
    for (std::size_t begin = 0; begin < numbers.size(); begin += length) {
      std::ranges::sort(std::span(numbers).subspan(begin, length));
    }
    EXPECT_EQ(sorted, numbers) << length;
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
