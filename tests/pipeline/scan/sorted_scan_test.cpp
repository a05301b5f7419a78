#include "pipeline/scan/sorted_scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/keyed_lines.hpp"
#include "record/record_totals.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

std::optional<std::size_t> find_disorder(const RecordCodec& codec, std::string_view bytes, bool unique) {
  return SortedScan(codec, {.is_strict = unique}).find_disorder(as_bytes(bytes));
}

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
    ASSERT_EQ(find_disorder(RecordCodec::plain(format), bytes, unique), linear_disorder(order, bytes, unique));
  }
}

// Swaps two neighbouring records, which must have the same length.
void swap_with_next(std::string& bytes, std::size_t record, std::size_t record_bytes) {
  const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(record * record_bytes);
  std::swap_ranges(at, at + static_cast<std::ptrdiff_t>(record_bytes), at + static_cast<std::ptrdiff_t>(record_bytes));
}

TEST(SortedScan, FindsTheFirstDisorderAnywhere) {
  const Format format = parsed("gensort");
  // Enough records for several of the ranges that are checked in parallel.
  const std::string sorted = stable_sorted(format, make_records(format, Distribution::kUniform, 40'000));
  expect_linear_check_agrees(format, sorted);
  for (const std::size_t record : {0, 1, 9'998, 9'999, 10'000, 20'000, 29'998, 39'998}) {
    std::string bytes = sorted;
    swap_with_next(bytes, record, 100);
    EXPECT_EQ(find_disorder(RecordCodec::plain(format), bytes, false), (record + 1) * 100);
    swap_with_next(bytes, 39'997, 100);
    expect_linear_check_agrees(format, bytes);
  }
}

TEST(SortedScan, FindsDisorderBetweenParallelRanges) {
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

TEST(SortedScan, AgreesWithALinearCheckOnEveryDistribution) {
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

TEST(SortedScan, ComparesWhatFollowsThePrefix) {
  expect_linear_check_agrees(parsed("lines"), "prefix-b\nprefix-a\n");
  expect_linear_check_agrees(parsed("lines"), std::string("a\0\na\n", 5));
  expect_linear_check_agrees(parsed("lines"), std::string("a\na\0\n", 5));
  expect_linear_check_agrees(parsed("lines"), "\n\n");
  expect_linear_check_agrees(parsed("lines"), "");
}

// Visits find the same as separate passes.
void expect_visits_agree(const Format& format, const std::string& bytes) {
  const RecordCodec codec = RecordCodec::plain(format);
  for (const bool unique : {false, true}) {
    SortedScan scan(codec, {.is_strict = unique});
    RecordTotals totals;
    bool in_order = true;
    for (const SortedRange& range : scan.cut(as_bytes(bytes))) {
      const bool range_in_order = scan.visit(range, [&](Record record) {
        totals += {1, record.size(), hash_record(record)};
      });
      ASSERT_EQ(range_in_order, scan.first_disorder(range) == SortedScan::kInOrder);
      in_order = in_order && range_in_order;
    }
    ASSERT_EQ(totals.records, totals_of(format, as_bytes(bytes), false).records);
    ASSERT_EQ(totals.bytes, bytes.size());
    if (format.kind != RecordKind::kArray) {
      ASSERT_EQ(totals, totals_of(format, as_bytes(bytes), true));
    }
    ASSERT_EQ(in_order, !find_disorder(RecordCodec::plain(format), bytes, unique));
  }
}

TEST(SortedScan, VisitsAgreeWithSeparatePassesOnEveryFormat) {
  for (const char* name : {"lines", "gensort", "fixed:3", "u32", "i64", "f32"}) {
    for (const bool descending : {false, true}) {
      SCOPED_TRACE(name);
      const Format format = parsed(name, {}, descending);
      const std::string bytes = make_records(format, Distribution::kUniform, 30'000);
      expect_visits_agree(format, bytes);
      expect_visits_agree(format, stable_sorted(format, bytes));
      expect_visits_agree(format, "");
    }
  }
  const Format numbers_as_records = parsed("fixed:8", {"f64@0"});
  expect_visits_agree(numbers_as_records, make_records(numbers_as_records, Distribution::kUniform, 30'000));
}

TEST(SortedScan, FindsDisorderBetweenTheRangesOfSeveralThreads) {
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
      ASSERT_EQ(find_disorder(RecordCodec::plain(format), bytes, false), std::nullopt);
      const std::size_t ranges = bytes.size() / (256 << 10) + 1;
      for (std::size_t range = 1 + first_turn(ranges - 1); range < ranges; range += turn_step()) {
        const std::size_t boundary = bytes.size() / format.record_bytes * range / ranges * format.record_bytes;
        for (std::size_t at = boundary - 2 * format.record_bytes; at <= boundary + 2 * format.record_bytes;
             at += format.record_bytes) {
          swap_before(at);
          ASSERT_EQ(find_disorder(RecordCodec::plain(format), bytes, false), at);
          swap_before(at);
        }
      }
    });
  }
}

// One part, and as many parts as there are records, find the same.
TEST(SortedScan, KnowsHowAPartFollowsTheOneBefore) {
  const RecordCodec codec = RecordCodec::plain(parsed("fixed:2", {"bytes@0:1"}));
  const std::string records = "a1a2b1b2a3";
  const std::vector<bool> repeats = {false, true, false, true, false};
  SortedScan whole(codec, {.finds_repeats = true});
  std::vector<bool> found;
  for (const SortedRange& range : whole.cut(as_bytes(records))) {
    EXPECT_FALSE(whole.visit_repeats(range, [&](Record, bool is_repeat) { found.push_back(is_repeat); }));
  }
  EXPECT_EQ(found, repeats);
  SortedScan scan(codec, {.finds_repeats = true});
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const auto record = as_bytes(std::string_view(records).substr(2 * i, 2));
    EXPECT_EQ(scan.repeats_key(record), repeats[i]);
    const auto ranges = scan.cut(record);
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].begins_with_repeat, repeats[i]);
    EXPECT_EQ(ranges[0].follows_in_order, i < 4);
  }
  EXPECT_TRUE(scan.cut({}).empty());
}

TEST(SortedScan, LetsVisitorsChangeWhatTheyAreGiven) {
  const RecordCodec codec = RecordCodec::plain(parsed("lines"));
  std::string lines = "a\na\nb\nc\nc\n";
  SortedScan scan(codec, {.finds_repeats = true});
  std::string kept;
  for (const SortedRange& range : scan.cut(as_bytes(lines))) {
    EXPECT_TRUE(scan.visit_in_place(range, as_writable(lines), [&](std::span<std::byte> line, bool repeats) {
      if (!repeats) kept += as_text(line);
      std::ranges::fill(line, std::byte('z'));
    }));
  }
  EXPECT_EQ(kept, "a\nb\nc\n");
}

TEST(SortedScan, TakesEqualKeysOfDecoratedLinesForDisorderIfStrict) {
  const RecordCodec codec(format_of({{{0}}}), false);
  const std::string lines = encoded(codec, "a 1\na 2\nb 1\n");
  EXPECT_EQ(SortedScan(codec, {}).find_disorder(as_bytes(lines)), std::nullopt);
  EXPECT_EQ(SortedScan(codec, {.is_strict = true}).find_disorder(as_bytes(lines)), encoded(codec, "a 1\n").size());
}

TEST(SortedScan, ClosesGaps) {
  std::string part = "ab--cd-e";
  const std::span<std::byte> bytes = as_writable(part);
  const std::vector<std::span<std::byte>> kept = {bytes.first(2), bytes.subspan(2, 0), bytes.subspan(4, 2),
                                                  bytes.subspan(7)};
  EXPECT_EQ(as_text(close_gaps(bytes, kept)), "abcde");
}

}  // namespace
}  // namespace sortie
