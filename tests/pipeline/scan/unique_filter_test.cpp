#include "pipeline/scan/repeat_filter.hpp"

#include <gtest/gtest.h>

#include "pipeline/keyed_lines.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

// Filters sorted records that come in parts of `part_records` records.
void expect_first_kept(const Format& format, const std::string& bytes, std::size_t part_records) {
  const RecordCodec codec = RecordCodec::plain(format);
  UniqueFilter filter(codec, true);
  const std::string sorted = stable_sorted(format, bytes);
  const auto records = records_of(codec.order().layout(), sorted);
  std::string kept;
  for (std::size_t begin = 0; begin < records.size(); begin += part_records) {
    std::string part;
    for (std::size_t i = begin; i < std::min(begin + part_records, records.size()); ++i) part += records[i];
    kept += as_text(filter.apply(as_writable(part)));
  }
  EXPECT_TRUE(kept == stable_sorted(format, bytes, true));
  RecordTotals expected = totals_of(format, as_bytes(sorted), true);
  EXPECT_EQ(expected - totals_of(format, as_bytes(kept), true), filter.dropped());
}

TEST(UniqueFilter, KeepsTheFirstOfEqualKeysHoweverPartsAreCut) {
  for (const Distribution distribution : turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    for (const std::size_t part_records : {1, 2, 3, 100, 10'000}) {
      const Format lines = parsed("lines");
      expect_first_kept(lines, make_records(lines, distribution, 1000), part_records);
      const Format fixed = parsed("fixed:12", {"u8@0"});
      expect_first_kept(fixed, make_records(fixed, distribution, 1000), part_records);
    }
  }
}

TEST(UniqueFilter, KeepsTheFirstOfEqualKeysOfParallelRanges) {
  with_threads(4, [] {
    for (const Distribution distribution : turns_of(kAllDistributions)) {
      SCOPED_TRACE(to_string(distribution));
      for (const char* name : turns_of({"lines", "u32", "f64"})) {
        const Format format = parsed(name);
        expect_first_kept(format, make_records(format, distribution, 200'000), 200'000);
        expect_first_kept(format, make_records(format, distribution, 200'000), 199'999);
      }
    }
    const Format keyed = parsed("fixed:12", {"u16@0"});
    expect_first_kept(keyed, make_records(keyed, Distribution::kUniform, 200'000), 150'000);
  });
}

TEST(UniqueFilter, KeepsTheFirstOfEqualNumbersHoweverPartsAreCut) {
  for (const Distribution distribution : turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    for (const char* name : {"i32", "f32", "u64"}) {
      for (const std::size_t part_records : {1, 2, 3, 1000}) {
        expect_first_kept(parsed(name), make_records(parsed(name), distribution, 1000), part_records);
      }
    }
  }
}

TEST(UniqueFilter, DropsPartsOfNothingButDuplicates) {
  const Format format = parsed("lines");
  const RecordCodec codec = RecordCodec::plain(format);
  UniqueFilter filter(codec, false);
  std::string first = "same\n";
  std::string second = "same\nsame\n";
  std::string third = "same\nsamer\n";
  EXPECT_EQ(as_text(filter.apply(as_writable(first))), "same\n");
  EXPECT_EQ(as_text(filter.apply(as_writable(second))), "");
  EXPECT_EQ(as_text(filter.apply(as_writable(third))), "samer\n");
  EXPECT_EQ(filter.dropped().records, 3U);
  EXPECT_EQ(filter.dropped().bytes, 15U);
}

TEST(UniqueFilter, KeepsTheFirstDecoratedLineOfEqualKeys) {
  const LineOrder order = {{{0}}, true, true};
  const RecordCodec codec(format_of(order), true);
  UniqueFilter filter(codec, true);
  std::string part = encoded(codec, "a 2\na 1\nb 9\nb 9\n");
  const std::string first = encoded(codec, "a 2\n");
  const std::string kept = std::string(as_text(filter.apply(as_writable(part))));
  EXPECT_EQ(kept.substr(0, first.size()), first);
  EXPECT_EQ(count_records(codec.order().layout(), as_bytes(kept)), 2U);
  EXPECT_EQ(filter.dropped(), totals_of(format_of(order), as_bytes("a 1\nb 9\n"), true));
}

TEST(UniqueFilter, TakesEmptyParts) {
  const Format format = parsed("lines");
  const RecordCodec codec = RecordCodec::plain(format);
  UniqueFilter filter(codec, true);
  EXPECT_TRUE(filter.apply({}).empty());
  std::string part = "\n\n";
  EXPECT_EQ(as_text(filter.apply(as_writable(part))), "\n");
  EXPECT_TRUE(filter.apply({}).empty());
}

}  // namespace
}  // namespace sortie
