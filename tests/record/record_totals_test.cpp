#include "record/record_totals.hpp"

#include <gtest/gtest.h>

#include "record/layout.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

const char* const kFormats[] = {"lines", "fixed:1", "fixed:37", "gensort", "u32", "f64"};

TEST(RecordTotals, AddUpHoweverTheRecordsAreSplit) {
  for (const char* name : kFormats) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    const std::string bytes = make_records(format, Distribution::kZipf, 100'000);
    const RecordTotals whole = totals_of(format, as_bytes(bytes), true);
    EXPECT_EQ(whole.records, 100'000U);
    EXPECT_EQ(whole.bytes, bytes.size());
    for (const std::size_t pieces : {2, 3, 10}) {
      RecordTotals sum;
      std::size_t begin = 0;
      for (std::size_t i = 1; i <= pieces; ++i) {
        const std::size_t end = boundary_at_or_after(layout_of(format), as_bytes(bytes), bytes.size() * i / pieces);
        sum += totals_of(format, as_bytes(bytes).subspan(begin, end - begin), true);
        begin = end;
      }
      EXPECT_EQ(sum, whole) << pieces << " pieces";
    }
  }
}

TEST(RecordTotals, DoNotDependOnTheOrder) {
  for (const char* name : kFormats) {
    const Format format = parsed(name);
    const std::string bytes = make_records(format, Distribution::kUniform, 5000);
    EXPECT_EQ(totals_of(format, as_bytes(bytes), true),
              totals_of(format, as_bytes(stable_sorted(format, bytes)), true));
  }
}

TEST(RecordTotals, TellRecordsApartThatHaveTheSameBytes) {
  const Format format = parsed("lines");
  EXPECT_NE(totals_of(format, as_bytes("ab\nc\n"), true), totals_of(format, as_bytes("a\nbc\n"), true));
  EXPECT_NE(totals_of(format, as_bytes("a\na\n"), true), totals_of(format, as_bytes("b\nb\n"), true));
}

TEST(RecordTotals, CountWithoutAChecksum) {
  for (const char* name : kFormats) {
    const Format format = parsed(name);
    const std::string bytes = make_records(format, Distribution::kUniform, 20'000);
    const RecordTotals totals = totals_of(format, as_bytes(bytes), false);
    EXPECT_EQ(totals, (RecordTotals{20'000, bytes.size(), {}})) << name;
  }
}

TEST(RecordTotals, AreTakenApartByWhatWasAdded) {
  const Format format = parsed("lines");
  const RecordTotals a = totals_of(format, as_bytes("x\ny\n"), true);
  const RecordTotals b = totals_of(format, as_bytes("zz\n"), true);
  RecordTotals sum = a;
  sum += b;
  EXPECT_EQ(sum - b, a);
  EXPECT_EQ(sum - a, b);
  EXPECT_EQ(totals_of(format, {}, true), RecordTotals{});
}

}  // namespace
}  // namespace sortie
