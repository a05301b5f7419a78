#include "engine/cpu/ordered_numbers.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "record/record_order.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::size_t kCounts[] = {1, 2, 3, 64, 65, 66, 16'384, 16'385, 100'000};

ArrayCodec<std::uint64_t> plain_codec() {
  return ArrayCodec<std::uint64_t>(RecordOrder(parsed("u64")).plan().parts[0]);
}

/// 0, 10, 20 ... or the other way round.
std::vector<std::uint64_t> steps(std::size_t count, bool ascend) {
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = 10 * (ascend ? i : count - 1 - i);
  return numbers;
}

/// What copy_if_ordered() makes of them; empty if it returns false.
std::vector<std::uint64_t> copied(const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> sorted(numbers.size(), 1);
  if (!copy_if_ordered<std::uint64_t>(numbers, sorted, plain_codec())) return {};
  return sorted;
}

std::vector<std::uint64_t> turned_in_place(std::vector<std::uint64_t> numbers) {
  if (!copy_if_ordered<std::uint64_t>(numbers, numbers, plain_codec())) return {};
  return numbers;
}

std::vector<std::uint64_t> indexed(const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> indexes(numbers.size(), 1);
  if (!index_if_ordered<std::uint64_t>(numbers, indexes, plain_codec())) return {};
  return indexes;
}

TEST(OrderedNumbers, AreCopiedOrTurnedRound) {
  for (const unsigned threads : {1U, 3U}) {
    with_threads(threads, [] {
      for (const std::size_t count : kCounts) {
        SCOPED_TRACE(count);
        std::vector<std::uint64_t> positions(count);
        std::iota(positions.begin(), positions.end(), 0);
        const std::vector<std::uint64_t> ascending = steps(count, true);
        const std::vector<std::uint64_t> descending = steps(count, false);
        for (const auto& numbers : {ascending, descending}) {
          EXPECT_EQ(copied(numbers), ascending);
          EXPECT_EQ(turned_in_place(numbers), ascending);
        }
        EXPECT_EQ(indexed(ascending), positions);
        std::ranges::reverse(positions);
        if (count > 1) {
          EXPECT_EQ(indexed(descending), positions);
        }
      }
    });
  }
}

// Each of the places that one number out of order may have: beside those that are looked at first, at the ends of what
// a thread takes at a time, at both ends of the array.
TEST(OrderedNumbers, OneOutOfOrderIsFoundWhereverItIs) {
  with_threads(3, [] {
    for (const bool ascend : {true, false}) {
      constexpr std::size_t kCount = 50'000;
      for (const std::size_t place :
           {1UL, 2UL, 780UL, 781UL, 782UL, 16'383UL, 16'384UL, 16'385UL, 32'768UL, kCount - 2}) {
        SCOPED_TRACE(place);
        std::vector<std::uint64_t> numbers = steps(kCount, ascend);
        std::swap(numbers[place], numbers[place + (ascend ? 1 : -1)]);
        EXPECT_EQ(copied(numbers).size(), 0U);
        EXPECT_EQ(turned_in_place(numbers).size(), 0U);
        EXPECT_EQ(indexed(numbers).size(), 0U);
        std::vector<std::uint64_t> same = numbers;
        EXPECT_FALSE(copy_if_ordered<std::uint64_t>(same, same, plain_codec()));
        EXPECT_EQ(same, numbers);
      }
    }
  });
}

TEST(OrderedNumbers, EqualOnesKeepTheirPositions) {
  const std::vector<std::uint64_t> equal(1000, 7);
  std::vector<std::uint64_t> positions(equal.size());
  std::iota(positions.begin(), positions.end(), 0);
  EXPECT_EQ(indexed(equal), positions);
  std::vector<std::uint64_t> numbers = steps(1000, false);
  numbers[500] = numbers[499];
  EXPECT_EQ(indexed(numbers).size(), 0U);
  std::vector<std::uint64_t> ascending = numbers;
  std::ranges::reverse(ascending);
  EXPECT_EQ(copied(numbers), ascending);
}

template <class Code>
void expect_order_of(const Format& format, const std::string& bytes) {
  const ArrayCodec<Code> codec(RecordOrder(format).plan().parts[0]);
  std::string ordered = stable_sorted(format, bytes);
  std::vector<Code> numbers(ordered.size() / sizeof(Code));
  std::memcpy(numbers.data(), ordered.data(), ordered.size());
  const std::vector<Code> expected = numbers;
  for (int turn = 0; turn < 2; ++turn, std::ranges::reverse(numbers)) {
    std::vector<Code> sorted(numbers.size());
    EXPECT_TRUE(copy_if_ordered<Code>(numbers, sorted, codec));
    EXPECT_EQ(std::memcmp(sorted.data(), expected.data(), ordered.size()), 0);
  }
}

// Also the numbers that are signed, floats with their signs, and descending orders.
class OrderedNumbersOf : public testing::TestWithParam<const char*> {};

TEST_P(OrderedNumbersOf, FollowTheOrderThatIsAskedFor) {
  for (const bool descending : {false, true}) {
    const Format format = parsed(GetParam(), {}, descending);
    for (const Distribution distribution : test::turns_of(kAllDistributions)) {
      const std::string bytes = make_records(format, distribution, 20'000);
      if (format.record_bytes == 4) {
        expect_order_of<std::uint32_t>(format, bytes);
      } else {
        expect_order_of<std::uint64_t>(format, bytes);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, OrderedNumbersOf, testing::Values("u32", "i32", "u64", "i64", "f32", "f64"),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace sortie
