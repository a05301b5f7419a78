#include "record/record_scan.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(RecordScan, VisitsEveryRecordInOrder) {
  for (const char* name : {"lines", "fixed:7", "u64"}) {
    const Format format = parsed(name);
    const std::string bytes = make_records(format, Distribution::kUniform, 100);
    std::vector<std::string_view> visited;
    for_each_record(layout_of(format), as_bytes(bytes), [&](const std::byte* record, std::uint64_t stored) {
      visited.push_back(as_text({record, static_cast<std::size_t>(stored)}));
    });
    EXPECT_EQ(visited, records_of(layout_of(format), bytes));
  }
}

TEST(RecordScan, TakesRecordsThatFitAndAtLeastOne) {
  const Layout lines = layout_of(parsed("lines"));
  const auto bytes = as_bytes("one\nthree\nx\n");
  EXPECT_EQ(records_within(lines, bytes, 1), 4U);
  EXPECT_EQ(records_within(lines, bytes, 4), 4U);
  EXPECT_EQ(records_within(lines, bytes, 9), 4U);
  EXPECT_EQ(records_within(lines, bytes, 10), 10U);
  EXPECT_EQ(records_within(lines, bytes, 12), 12U);
  EXPECT_EQ(records_within(lines, bytes, ~std::uint64_t{0}), 12U);
  const Layout fixed = layout_of(parsed("fixed:3"));
  EXPECT_EQ(records_within(fixed, bytes, 0), 3U);
  EXPECT_EQ(records_within(fixed, bytes, 8), 6U);
  EXPECT_EQ(records_within(fixed, bytes, 12), 12U);
}

// The ranges follow one another, hold whole records, and are neither empty nor too many.
void expect_cover(const Format& format, const std::string& bytes, std::size_t wanted) {
  const Layout layout = layout_of(format);
  const auto ranges = split_records(layout, as_bytes(bytes), wanted);
  EXPECT_LE(ranges.size(), wanted);
  const std::byte* next = as_bytes(bytes).data();
  for (const auto& range : ranges) {
    EXPECT_FALSE(range.empty());
    EXPECT_EQ(range.data(), next);
    EXPECT_EQ(whole_records(layout, range), range.size());
    next += range.size();
  }
  EXPECT_EQ(next, as_bytes(bytes).data() + bytes.size());
}

TEST(RecordScan, SplitsIntoRangesOfWholeRecords) {
  for (const char* name : {"lines", "fixed:1", "fixed:1000", "f64"}) {
    const Format format = parsed(name);
    for (const std::size_t count : {0, 1, 2, 50}) {
      for (const std::size_t wanted : {1, 2, 3, 7, 49, 50, 51, 5000}) {
        SCOPED_TRACE(std::string(name) + ", " + std::to_string(count) + " records, " + std::to_string(wanted));
        expect_cover(format, make_records(format, Distribution::kUniform, count), wanted);
      }
    }
  }
}

TEST(RecordScan, SplitsAroundALongLine) {
  const std::string bytes = "a\n" + std::string(10'000, 'x') + "\nb\n\n";
  for (const std::size_t wanted : {1, 2, 3, 100, 20'000}) expect_cover(parsed("lines"), bytes, wanted);
}

TEST(RecordScan, FindsWhereWantedRecordsEnd) {
  const Layout layout;
  const std::string lines = "a\nab\n\nb\na\n";
  const auto begins_with_a = [](std::span<const std::byte> line) { return as_text(line).front() == 'a'; };
  EXPECT_EQ(as_text(first_record(layout, as_bytes(lines))), "a\n");
  EXPECT_EQ(leading_bytes(layout, as_bytes(lines), begins_with_a), 5U);
  EXPECT_EQ(leading_bytes(layout, as_bytes("b\na\n"), begins_with_a), 0U);
  EXPECT_EQ(leading_bytes(layout, as_bytes("a\na\n"), begins_with_a), 4U);
  EXPECT_EQ(leading_bytes(layout, {}, begins_with_a), 0U);
  const Layout pairs{2};
  EXPECT_EQ(as_text(first_record(pairs, as_bytes("a1a2b1"))), "a1");
  EXPECT_EQ(leading_bytes(pairs, as_bytes("a1a2b1"), begins_with_a), 4U);
}

TEST(RecordScan, CutsSlicesOfWholeRecords) {
  const std::string lines = "abc\nd\nef\n\nghi\n";
  for (const std::size_t slice_bytes : {1, 3, 4, 5, 100}) {
    std::string visited;
    for_each_slice(Layout{}, as_bytes(lines), slice_bytes, [&](std::span<const std::byte> slice) {
      EXPECT_EQ(as_text(slice).back(), '\n');
      EXPECT_TRUE(slice.size() >= slice_bytes || visited.size() + slice.size() == lines.size());
      visited += as_text(slice);
    });
    EXPECT_EQ(visited, lines);
  }
}

}  // namespace
}  // namespace sortie
