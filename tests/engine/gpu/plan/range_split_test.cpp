#include "engine/gpu/merge/gpu_window_merger.hpp"

#include <gtest/gtest.h>

#include "engine/gpu/sample_records.hpp"
#include "record/record_scan.hpp"

namespace sortie::gpu {
namespace {

using test::ByteVector;

/// Sorted ranges, like runs of consecutive input.
std::vector<ByteVector> sorted_ranges(const test::Sample& sample, std::size_t range_count) {
  const RecordOrder order(sample.format);
  std::vector<ByteVector> ranges;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= range_count; ++i) {
    const std::size_t end =
        boundary_at_or_after(order.layout(), sample.bytes, sample.bytes.size() * i * i / (range_count * range_count));
    ranges.push_back(test::stable_sorted(sample.format, std::span(sample.bytes).subspan(begin, end - begin)));
    begin = end;
  }
  return ranges;
}

void append_sorted(const Format& format, const SortedRanges& ranges, ByteVector& output) {
  ByteVector all;
  for (const auto& range : ranges) all.insert(all.end(), range.begin(), range.end());
  const ByteVector sorted = test::stable_sorted(format, all);
  output.insert(output.end(), sorted.begin(), sorted.end());
}

TEST(RangeSplit, MergingBothSidesInTurnMergesAllStably) {
  for (const test::Sample& sample : test::all_samples(500)) {
    for (const std::size_t range_count : {1, 2, 7, 30}) {
      const std::vector<ByteVector> owned = sorted_ranges(sample, range_count);
      const SortedRanges ranges(owned.begin(), owned.end());
      const auto split = split_ranges(RecordOrder(sample.format), ranges);
      ASSERT_TRUE(split.has_value()) << sample.name;
      ByteVector merged;
      append_sorted(sample.format, split->low, merged);
      EXPECT_FALSE(merged.empty()) << sample.name;
      EXPECT_LT(merged.size(), sample.bytes.size()) << sample.name;
      append_sorted(sample.format, split->high, merged);
      EXPECT_EQ(merged, test::stable_sorted(sample.format, sample.bytes)) << sample.name << ' ' << range_count;
    }
  }
}

TEST(RangeSplit, SingleRecordsAreNotSplit) {
  const Format format = parse_format("fixed:4");
  const ByteVector a(4, std::byte{1});
  const ByteVector b(4, std::byte{2});
  EXPECT_FALSE(split_ranges(RecordOrder(format), SortedRanges{a, b, {}}).has_value());
  EXPECT_FALSE(split_ranges(RecordOrder(format), SortedRanges{}).has_value());
}

TEST(RangeSplit, TwoRecordsOfOneRangeAreParted) {
  const Format format = parse_format("lines");
  const std::string text = "a\na long line\n";
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  const auto split = split_ranges(RecordOrder(format), SortedRanges{{begin, text.size()}});
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->low[0].size(), 2U);
  EXPECT_EQ(split->high[0].size(), text.size() - 2);
}

}  // namespace
}  // namespace sortie::gpu
