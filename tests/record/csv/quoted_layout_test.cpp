// The functions of all record layouts, for CSV.
#include <gtest/gtest.h>

#include "record/csv/csv_order.hpp"
#include "record/record_scan.hpp"
#include "record/record_totals.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::csv_format;

TEST(QuotedLayout, FollowsTheFormat) {
  EXPECT_TRUE(layout_of(csv_format({})).quoted());
  EXPECT_EQ(layout_of(csv_format({}, '\t')).syntax.separator, '\t');
  EXPECT_FALSE(layout_of(Format{}).quoted());
  Format without_quotes = csv_format({});
  without_quotes.text.quoting = Quoting::kNone;
  EXPECT_FALSE(layout_of(without_quotes).quoted());
}

TEST(QuotedLayout, FindsTheRecordsOfCsv) {
  const std::string text = test::well_formed_csv(3000, 1, "\r\n", ';');
  const Layout layout = layout_of(csv_format({}, ';'));
  const auto records = test::read_csv(text, ';').records;
  std::size_t next = 0;
  for_each_record(layout, as_bytes(text), [&](const std::byte* record, std::uint64_t stored) {
    ASSERT_LT(next, records.size());
    EXPECT_EQ(as_text({record, static_cast<std::size_t>(stored)}), records[next++].raw);
  });
  EXPECT_EQ(next, records.size());
  EXPECT_EQ(count_records(layout, as_bytes(text)), records.size());
  EXPECT_EQ(whole_records(layout, as_bytes(text).first(text.size() - 1)), text.size() - records.back().raw.size());
  EXPECT_EQ(first_records(layout, as_bytes(text), 1), records.front().raw.size());
  EXPECT_EQ(first_records(layout, as_bytes(text), records.size()), text.size());
  EXPECT_EQ(boundary_at_or_after(layout, as_bytes(text), 1), records.front().raw.size());
  EXPECT_EQ(boundary_at_or_after(layout, as_bytes(text), text.size()), text.size());
  EXPECT_EQ(split_records(layout, as_bytes(text), 9).size(), 9U);
}

TEST(QuotedLayout, TotalsAreThoseOfWholeRecordsHoweverTheyAreCounted) {
  const std::string text = test::well_formed_csv(20000, 2);
  const Format format = csv_format({});
  RecordTotals expected;
  for (const auto& record : test::read_csv(text).records) {
    ++expected.records;
    expected.bytes += record.raw.size();
    expected.checksum += hash_record(as_bytes(record.raw));
  }
  EXPECT_EQ(totals_of(format, as_bytes(text), true), expected);
  EXPECT_EQ(range_totals(format, as_bytes(text), true), expected);
  SliceTotals slices(format, true);
  slices.start(as_bytes(text).data());
  slices.add(as_bytes(text).first(1000));
  slices.add(as_bytes(text).subspan(1000));
  EXPECT_EQ(slices.finish(text.size()), expected);
}

}  // namespace
}  // namespace sortie
