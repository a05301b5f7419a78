#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/output/output_stage.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/string_output.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;
using testing::HasSubstr;

const OutputOptions kCounts{.show_count = true};

/// What the output shows of sorted records.
struct Shown {
  std::string text;
  RecordTotals written;
  RecordTotals dropped;
};

/// The records come in parts of `part_records`.
Shown shown(const RecordCodec& codec, std::string_view sorted, std::size_t part_records, const OutputOptions& options) {
  StringOutput output;
  SilentObserver observer;
  OutputStage stage(codec, output, options, observer);
  const auto records = records_of(codec.order().layout(), sorted);
  for (std::size_t begin = 0; begin < records.size(); begin += part_records) {
    const std::size_t end = std::min(begin + part_records, records.size());
    std::string part(records[begin].data(), records[end - 1].data() + records[end - 1].size());
    stage.accept(as_writable(part));
  }
  stage.finish();
  return {output.text, stage.written(), stage.dropped()};
}

/// The same text, made one record at a time.
std::string expected_text(const RecordOrder& order, std::string_view sorted, const OutputOptions& options) {
  std::string text;
  const auto records = records_of(order.layout(), sorted);
  std::uint64_t groups = 0;
  for (std::size_t begin = 0; begin < records.size() && groups < options.record_limit(); ++groups) {
    std::size_t end = begin + 1;
    while (end < records.size() && order.compare(as_bytes(records[begin]), as_bytes(records[end])) == 0) ++end;
    char count[32];
    std::snprintf(count, sizeof(count), "%7zu ", end - begin);
    if (options.show_count) text += count;
    text += records[options.keep_last ? end - 1 : begin];
    begin = end;
  }
  return text;
}

void expect_shown(const Format& format, const std::string& sorted, std::size_t part_records,
                  const OutputOptions& options) {
  const RecordOrder order(format);
  const Shown found = shown(RecordCodec::plain(format), sorted, part_records, options);
  EXPECT_TRUE(found.text == expected_text(order, sorted, options));
  OutputOptions plain = options;
  plain.show_count = false;
  EXPECT_EQ(found.written, totals_of(format, as_bytes(expected_text(order, sorted, plain)), options.verify));
  EXPECT_EQ(found.dropped, totals_of(format, as_bytes(sorted), options.verify) - found.written);
}

TEST(GroupFinisher, CountsRecordsWithEqualKeysHoweverPartsAreCut) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const Format format = parsed("lines");
    const std::string sorted = stable_sorted(format, make_records(format, distribution, 1000));
    for (const std::size_t part_records : {1, 2, 7, 1000}) {
      expect_shown(format, sorted, part_records, kCounts);
      expect_shown(format, sorted, part_records, {.verify = false, .keep_last = true, .show_count = true});
    }
  }
}

TEST(GroupFinisher, ShowsTheLastOfRecordsWithEqualKeys) {
  const Format format = parsed("fixed:12", {"u8@0"});
  const std::string sorted = stable_sorted(format, make_records(format, Distribution::kUniform, 2000));
  for (const std::size_t part_records : {1, 3, 100, 2000}) {
    expect_shown(format, sorted, part_records, {.keep_last = true});
    expect_shown(format, sorted, part_records, {.unique = true});
    expect_shown(format, sorted, part_records, {.keep_last = true, .most_records = 5});
  }
}

TEST(GroupFinisher, PutsParallelRangesTogether) {
  with_threads(4, [] {
    for (const Distribution distribution : test::turns_of(kAllDistributions)) {
      SCOPED_TRACE(to_string(distribution));
      const Format format = parsed("lines");
      const std::string sorted = stable_sorted(format, make_records(format, distribution, 100'000));
      for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{30'000}}) {
        expect_shown(format, sorted, 60'000, {.show_count = true, .most_records = most});
        expect_shown(format, sorted, 100'000, {.keep_last = true, .show_count = true, .most_records = most});
      }
    }
  });
}

TEST(GroupFinisher, WritesCountsAsWideAsUniqDoes) {
  const Format format = parsed("lines");
  EXPECT_EQ(shown(RecordCodec::plain(format), "a\na\nb\n", 3, kCounts).text, "      2 a\n      1 b\n");
  const std::string same(12'345'678, '\n');
  EXPECT_EQ(shown(RecordCodec::plain(format), same, 5'000'000, kCounts).text, "12345678 \n");
}

TEST(GroupFinisher, ShowsDecoratedLinesAsTheyWere) {
  const LineOrder line_order = {{{0}}, false, true};
  const RecordCodec codec(format_of(line_order), true);
  const std::string sorted = encoded(codec, "a 2\na 1\nb 9\nb 9\nb 1\n");
  for (const std::size_t part_records : {1, 2, 5}) {
    const Shown first = shown(codec, sorted, part_records, kCounts);
    EXPECT_EQ(first.text, "      2 a 2\n      3 b 9\n");
    EXPECT_EQ(first.written, totals_of(format_of(line_order), as_bytes("a 2\nb 9\n"), true));
    EXPECT_EQ(first.dropped, totals_of(format_of(line_order), as_bytes("a 1\nb 9\nb 1\n"), true));
    EXPECT_EQ(shown(codec, sorted, part_records, {.keep_last = true}).text, "a 1\nb 1\n");
  }
}

TEST(GroupFinisher, RefusesWhatIsOutOfOrder) {
  for (const std::size_t part_records : {1, 2, 3}) {
    EXPECT_THAT(error_of([&] { shown(RecordCodec::plain(parsed("lines")), "a\nc\nb\n", part_records, kCounts); }),
                HasSubstr("not in order"));
  }
}

TEST(GroupFinisher, ShowsNothingOfNothing) {
  const Shown nothing = shown(RecordCodec::plain(parsed("lines")), "", 1, kCounts);
  EXPECT_EQ(nothing.text, "");
  EXPECT_EQ(nothing.dropped, RecordTotals());
}

}  // namespace
}  // namespace sortie
