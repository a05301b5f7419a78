#include "record/record_order.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

// Finds both bounds of every record of `keys` in the sorted `bytes` by searching from the front.
void expect_linear_search_agrees(const Format& format, const std::string& bytes, const std::string& keys) {
  const RecordOrder order(format);
  const std::string sorted = stable_sorted(format, bytes);
  const auto records = records_of(order.layout(), sorted);
  for (const std::string_view key : records_of(order.layout(), keys)) {
    std::size_t lower = 0;
    std::size_t upper = 0;
    for (const std::string_view record : records) {
      const int comparison = order.compare(as_bytes(record), as_bytes(key));
      if (comparison < 0) lower += record.size();
      if (comparison <= 0) upper += record.size();
    }
    ASSERT_EQ(lower_bound_record(order, as_bytes(sorted), as_bytes(key)), lower);
    ASSERT_EQ(upper_bound_record(order, as_bytes(sorted), as_bytes(key)), upper);
  }
}

TEST(SortedSearch, FindsTheBoundsThatALinearSearchFinds) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    for (const bool descending : {false, true}) {
      for (const char* name : {"lines", "gensort", "i32"}) {
        const Format format = parsed(name, {}, descending);
        const std::string bytes = make_records(format, distribution, 300);
        expect_linear_search_agrees(format, bytes,
                                    bytes.substr(0, 100 * records_of(layout_of(format), bytes)[0].size()) +
                                        (format.kind == RecordKind::kLines ? "\n" : ""));
        expect_linear_search_agrees(format, bytes, make_records(format, Distribution::kUniform, 50, 99));
      }
    }
  }
}

TEST(SortedSearch, CopesWithLongAndEmptyLines) {
  const Format format = parsed("lines");
  const std::string bytes = lines_of_one_letter(60, 3000) + "\n\n\n";
  expect_linear_search_agrees(format, bytes, bytes + "b\n");
}

TEST(SortedSearch, FindsTheBeginningOfNothing) {
  const RecordOrder order(parsed("lines"));
  EXPECT_EQ(lower_bound_record(order, {}, as_bytes("a\n")), 0U);
  EXPECT_EQ(upper_bound_record(order, {}, as_bytes("a\n")), 0U);
}

}  // namespace
}  // namespace sortie
