#include "record/examination.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "record/order_check.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

// One pass finds the same as two separate passes.
void expect_passes_agree(const Format& format, const std::string& bytes) {
  const RecordOrder order(format);
  for (const bool unique : {false, true}) {
    const Examination found = examine_records(format, order, as_bytes(bytes), unique);
    ASSERT_EQ(found.totals, totals_of(format, as_bytes(bytes), true));
    ASSERT_EQ(found.disorder, find_disorder(order, as_bytes(bytes), unique));
  }
}

TEST(Examination, AgreesWithSeparatePassesOnEveryFormat) {
  for (const char* name : {"lines", "gensort", "fixed:3", "u32", "i64", "f32"}) {
    for (const bool descending : {false, true}) {
      SCOPED_TRACE(name);
      const Format format = parsed(name, {}, descending);
      const std::string bytes = make_records(format, Distribution::kUniform, 30'000);
      expect_passes_agree(format, bytes);
      expect_passes_agree(format, stable_sorted(format, bytes));
      expect_passes_agree(format, "");
    }
  }
  const Format numbers_as_records = parsed("fixed:8", {"f64@0"});
  expect_passes_agree(numbers_as_records, make_records(numbers_as_records, Distribution::kUniform, 30'000));
}

TEST(Examination, FindsDisorderBetweenTheRangesOfSeveralThreads) {
  for (const char* name : {"u64", "gensort"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    const RecordOrder order(format);
    const auto record_bytes = static_cast<std::ptrdiff_t>(format.record_bytes);
    std::string bytes = stable_sorted(format, make_records(format, Distribution::kUniform, 120'000));
    const auto swap_before = [&](std::size_t at) {
      const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(at);
      std::swap_ranges(middle - record_bytes, middle, middle);
    };
    with_threads(4, [&] {
      ASSERT_EQ(examine_records(format, order, as_bytes(bytes), false).disorder, std::nullopt);
      const std::size_t ranges = bytes.size() / (256 << 10) + 1;
      for (std::size_t range = 1 + first_turn(ranges - 1); range < ranges; range += turn_step()) {
        const std::size_t boundary = bytes.size() / format.record_bytes * range / ranges * format.record_bytes;
        for (std::size_t at = boundary - 2 * format.record_bytes; at <= boundary + 2 * format.record_bytes;
             at += format.record_bytes) {
          swap_before(at);
          ASSERT_EQ(examine_records(format, order, as_bytes(bytes), false).disorder, at);
          swap_before(at);
        }
      }
    });
  }
}

}  // namespace
}  // namespace sortie
