#include "pipeline/output/key_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/pipeline_support.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;
using testing::HasSubstr;

/// The text shown for sorted records that come in parts of `part_records`.
std::string shown(KeyGroups& groups, const Layout& layout, std::string_view sorted, std::size_t part_records) {
  std::string text;
  const auto append = [&](std::span<const std::byte> bytes) { text += as_text(bytes); };
  const auto records = records_of(layout, sorted);
  for (std::size_t begin = 0; begin < records.size(); begin += part_records) {
    const std::size_t end = std::min(begin + part_records, records.size());
    const auto bytes =
        static_cast<std::size_t>(records[end - 1].data() + records[end - 1].size() - records[begin].data());
    groups.add(as_bytes({records[begin].data(), bytes}), append);
  }
  groups.finish(append);
  return text;
}

/// The same text, made one record at a time.
std::string expected_text(const RecordOrder& order, std::string_view sorted, const KeyGroups::Options& options) {
  std::string text;
  const auto records = records_of(order.layout(), sorted);
  std::uint64_t groups = 0;
  for (std::size_t begin = 0; begin < records.size() && groups < options.most_groups; ++groups) {
    std::size_t end = begin + 1;
    while (end < records.size() && order.compare(as_bytes(records[begin]), as_bytes(records[end])) == 0) ++end;
    char count[32];
    std::snprintf(count, sizeof(count), "%7zu ", end - begin);
    if (options.show_count) text += count;
    text += records[options.show_last ? end - 1 : begin];
    begin = end;
  }
  return text;
}

void expect_shown(const Format& format, const std::string& sorted, std::size_t part_records,
                  const KeyGroups::Options& options) {
  const RecordOrder order(format);
  KeyGroups groups(order, nullptr, options);
  EXPECT_TRUE(shown(groups, order.layout(), sorted, part_records) == expected_text(order, sorted, options));
  KeyGroups::Options plain = options;
  plain.show_count = false;
  EXPECT_EQ(groups.kept(), totals_of(format, as_bytes(expected_text(order, sorted, plain)), options.verify));
  EXPECT_EQ(groups.dropped(), totals_of(format, as_bytes(sorted), options.verify) - groups.kept());
}

TEST(KeyGroups, CountsRecordsWithEqualKeysHoweverPartsAreCut) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const Format format = parsed("lines");
    const std::string sorted = stable_sorted(format, make_records(format, distribution, 1000));
    for (const std::size_t part_records : {1, 2, 7, 1000}) {
      expect_shown(format, sorted, part_records, {true, false, true});
      expect_shown(format, sorted, part_records, {true, true, false});
    }
  }
}

TEST(KeyGroups, ShowsTheLastOfRecordsWithEqualKeys) {
  const Format format = parsed("fixed:12", {"u8@0"});
  const std::string sorted = stable_sorted(format, make_records(format, Distribution::kUniform, 2000));
  for (const std::size_t part_records : {1, 3, 100, 2000}) {
    expect_shown(format, sorted, part_records, {false, true, true});
    expect_shown(format, sorted, part_records, {false, false, true});
    expect_shown(format, sorted, part_records, {false, true, true, 5});
  }
}

TEST(KeyGroups, PutsParallelRangesTogether) {
  with_threads(4, [] {
    for (const Distribution distribution : test::turns_of(kAllDistributions)) {
      SCOPED_TRACE(to_string(distribution));
      const Format format = parsed("lines");
      const std::string sorted = stable_sorted(format, make_records(format, distribution, 100'000));
      for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{30'000}, ~std::uint64_t{0}}) {
        expect_shown(format, sorted, 60'000, {true, false, true, most});
        expect_shown(format, sorted, 100'000, {true, true, true, most});
      }
    }
  });
}

TEST(KeyGroups, WritesCountsAsWideAsUniqDoes) {
  const RecordOrder order(parsed("lines"));
  KeyGroups groups(order, nullptr, {true});
  EXPECT_EQ(shown(groups, order.layout(), "a\na\nb\n", 3), "      2 a\n      1 b\n");
  KeyGroups many(order, nullptr, {true});
  std::string same;
  for (int i = 0; i < 12'345'678; ++i) same += '\n';
  EXPECT_EQ(shown(many, order.layout(), same, 5'000'000), "12345678 \n");
}

TEST(KeyGroups, ShowsDecoratedLinesAsTheyWere) {
  const LineOrder line_order = {{{0}}, false, true};
  const LineDecorator decorator(format_of(line_order), true);
  const RecordOrder order(decorator.decorated_format());
  const std::string sorted = decorated(decorator, "a 2\na 1\nb 9\nb 9\nb 1\n");
  for (const std::size_t part_records : {1, 2, 5}) {
    KeyGroups first(order, &decorator, {true});
    EXPECT_EQ(shown(first, order.layout(), sorted, part_records), "      2 a 2\n      3 b 9\n");
    EXPECT_EQ(first.kept(), totals_of(format_of(line_order), as_bytes("a 2\nb 9\n"), true));
    EXPECT_EQ(first.dropped(), totals_of(format_of(line_order), as_bytes("a 1\nb 9\nb 1\n"), true));
    KeyGroups last(order, &decorator, {false, true});
    EXPECT_EQ(shown(last, order.layout(), sorted, part_records), "a 1\nb 1\n");
  }
}

TEST(KeyGroups, RefusesWhatIsOutOfOrder) {
  const RecordOrder order(parsed("lines"));
  for (const std::size_t part_records : {1, 2, 3}) {
    KeyGroups groups(order, nullptr, {true});
    EXPECT_THAT(error_of([&] { shown(groups, order.layout(), "a\nc\nb\n", part_records); }), HasSubstr("not in order"));
  }
}

TEST(KeyGroups, ShowsNothingOfNothing) {
  const RecordOrder order(parsed("lines"));
  KeyGroups groups(order, nullptr, {true});
  EXPECT_EQ(shown(groups, order.layout(), "", 1), "");
  EXPECT_EQ(groups.dropped(), RecordTotals());
}

}  // namespace
}  // namespace sortie
