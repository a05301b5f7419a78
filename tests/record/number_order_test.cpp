#include "record/number_order.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

std::optional<std::size_t> linear_number_disorder(const RecordOrder& order, const std::string& bytes, bool unique) {
  const std::size_t size = order.layout().record_bytes;
  for (std::size_t at = size; at < bytes.size(); at += size) {
    const auto records = as_bytes(bytes);
    const int comparison = order.compare(records.subspan(at - size, size), records.subspan(at, size));
    if (comparison > 0 || (unique && comparison == 0)) return at;
  }
  return std::nullopt;
}

void expect_linear_check_agrees(const RecordOrder& order, const std::string& bytes) {
  for (const bool unique : {false, true}) {
    ASSERT_EQ(find_number_disorder(order, as_bytes(bytes), unique), linear_number_disorder(order, bytes, unique));
  }
}

TEST(NumberOrder, AgreesWithComparingKeysForEveryType) {
  for (const char* name : {"u32", "i32", "f32", "u64", "i64", "f64"}) {
    for (const bool descending : {false, true}) {
      const Format format = parsed(name, {}, descending);
      const RecordOrder order(format);
      ASSERT_TRUE(is_number_order(order));
      for (const Distribution distribution : test::turns_of(kAllDistributions)) {
        SCOPED_TRACE(std::string(name) + (descending ? " descending " : " ") + to_string(distribution));
        const std::string bytes = make_records(format, distribution, 10'000);
        expect_linear_check_agrees(order, bytes);
        expect_linear_check_agrees(order, stable_sorted(format, bytes));
        expect_linear_check_agrees(order, stable_sorted(format, bytes, true));
      }
    }
  }
}

TEST(NumberOrder, FindsTheFirstDisorderWhereverItIs) {
  const Format format = parsed("u32");
  const RecordOrder order(format);
  std::vector<std::uint32_t> numbers(10'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(10 * i + 10);
  for (const std::size_t index : {1, 2, 4'095, 4'096, 4'097, 8'193, 9'999}) {
    auto changed = numbers;
    changed[index] = 5;
    changed.back() = 6;
    EXPECT_EQ(find_number_disorder(order, std::as_bytes(std::span(changed)), false), 4 * index);
  }
}

TEST(NumberOrder, FindsTheFirstNumberBeforeABound) {
  for (const char* name : {"u32", "i32", "f32", "u64", "i64", "f64"}) {
    for (const bool descending : {false, true}) {
      SCOPED_TRACE(std::string(name) + (descending ? " descending" : ""));
      const Format format = parsed(name, {}, descending);
      const RecordOrder order(format);
      const std::string bytes = make_records(format, Distribution::kUniform, 1000);
      const auto numbers = records_of(order.layout(), bytes);
      const std::string sorted = stable_sorted(format, bytes);
      for (const std::size_t rank : {0, 1, 10, 500, 999}) {
        const Record bound = as_bytes(sorted).subspan(rank * format.record_bytes, format.record_bytes);
        for (std::size_t begin = 0; begin <= numbers.size(); begin += 37) {
          std::optional<std::size_t> expected;
          for (std::size_t i = begin; i < numbers.size() && !expected; ++i) {
            if (order.compare(as_bytes(numbers[i]), bound) < 0) expected = (i - begin) * format.record_bytes;
          }
          const auto rest = as_bytes(bytes).subspan(begin * format.record_bytes);
          ASSERT_EQ(find_number_before(order, rest, bound), expected);
        }
      }
    }
  }
}

TEST(NumberOrder, TakesAnyAddressAndAnyCount) {
  const Format format = parsed("f64");
  const RecordOrder order(format);
  const std::string sorted = stable_sorted(format, make_records(format, Distribution::kUniform, 40));
  for (std::size_t count = 0; count <= 40; ++count) {
    const std::string shifted = "x" + sorted.substr(0, 8 * count);
    EXPECT_EQ(find_number_disorder(order, as_bytes(shifted).subspan(1), false), std::nullopt) << count;
  }
}

TEST(NumberOrder, KnowsWhatIsNoArrayOfNumbers) {
  EXPECT_TRUE(is_number_order(RecordOrder(parsed("fixed:4", {"i32@0"}))));
  EXPECT_FALSE(is_number_order(RecordOrder(parsed("fixed:4", {"i32be@0"}))));
  EXPECT_FALSE(is_number_order(RecordOrder(parsed("fixed:8", {"i32@0"}))));
  EXPECT_FALSE(is_number_order(RecordOrder(parsed("fixed:8", {"i32@0", "u32@4"}))));
  EXPECT_FALSE(is_number_order(RecordOrder(parsed("fixed:2", {"u16@0"}))));
  EXPECT_FALSE(is_number_order(RecordOrder(parsed("fixed:8"))));
  EXPECT_FALSE(is_number_order(RecordOrder(parsed("lines"))));
}

}  // namespace
}  // namespace sortie
