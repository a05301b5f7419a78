#include "record/order_check.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

std::optional<std::size_t> linear_disorder(const RecordOrder& order, const std::string& bytes, bool unique) {
  const auto records = records_of(order.layout(), bytes);
  std::size_t offset = 0;
  for (std::size_t i = 1; i < records.size(); ++i) {
    offset += records[i - 1].size();
    const int comparison = order.compare(as_bytes(records[i - 1]), as_bytes(records[i]));
    if (comparison > 0 || (unique && comparison == 0)) return offset;
  }
  return std::nullopt;
}

void expect_linear_check_agrees(const Format& format, const std::string& bytes) {
  const RecordOrder order(format);
  for (const bool unique : {false, true}) {
    ASSERT_EQ(find_disorder(order, as_bytes(bytes), unique), linear_disorder(order, bytes, unique));
  }
}

// Swaps two neighbouring records, which must have the same length.
void swap_with_next(std::string& bytes, std::size_t record, std::size_t record_bytes) {
  const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(record * record_bytes);
  std::swap_ranges(at, at + static_cast<std::ptrdiff_t>(record_bytes), at + static_cast<std::ptrdiff_t>(record_bytes));
}

TEST(OrderCheck, FindsTheFirstDisorderAnywhere) {
  const Format format = parsed("gensort");
  // Enough records for several of the ranges that are checked in parallel.
  const std::string sorted = stable_sorted(format, make_records(format, Distribution::kUniform, 40'000));
  expect_linear_check_agrees(format, sorted);
  for (const std::size_t record : {0, 1, 9'998, 9'999, 10'000, 20'000, 29'998, 39'998}) {
    std::string bytes = sorted;
    swap_with_next(bytes, record, 100);
    EXPECT_EQ(find_disorder(RecordOrder(format), as_bytes(bytes), false), (record + 1) * 100);
    swap_with_next(bytes, 39'997, 100);
    expect_linear_check_agrees(format, bytes);
  }
}

TEST(OrderCheck, FindsDisorderBetweenParallelRanges) {
  // Every boundary between ranges is a disorder, wherever it is: the record before a range counts.
  const Format format = parsed("lines");
  std::string bytes;
  for (int i = 0; i < 300'000; ++i) bytes += std::to_string(1'000'000 + i) + "\n";
  const std::size_t line_bytes = 8;
  for (const std::size_t megabyte : {1, 2}) {
    for (std::size_t near = 0; near < 4; ++near) {
      std::string changed = bytes;
      swap_with_next(changed, (megabyte << 20) * bytes.size() / (3 << 20) / line_bytes + near - 2, line_bytes);
      expect_linear_check_agrees(format, changed);
    }
  }
}

TEST(OrderCheck, AgreesWithALinearCheckOnEveryDistribution) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    for (const char* name : {"lines", "gensort", "f32", "u64"}) {
      for (const bool descending : {false, true}) {
        const Format format = parsed(name, {}, descending);
        const std::string bytes = make_records(format, distribution, 2000);
        expect_linear_check_agrees(format, bytes);
        expect_linear_check_agrees(format, stable_sorted(format, bytes));
      }
    }
  }
}

TEST(OrderCheck, ComparesWhatFollowsThePrefix) {
  expect_linear_check_agrees(parsed("lines"), "prefix-b\nprefix-a\n");
  expect_linear_check_agrees(parsed("lines"), std::string("a\0\na\n", 5));
  expect_linear_check_agrees(parsed("lines"), std::string("a\na\0\n", 5));
  expect_linear_check_agrees(parsed("lines"), "\n\n");
  expect_linear_check_agrees(parsed("lines"), "");
}

}  // namespace
}  // namespace sortie
