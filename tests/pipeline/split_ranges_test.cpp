// Files that the records of merged ranges are cut into (split_ranges() of shard.hpp), without anybody who divides the
// work.
#include <sortie/shard.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

class SplitRanges : public testing::Test {
 protected:
  SplitRanges() {
    options_.memory_bytes = kMinMemoryBytes;
    options_.output = directory_ / "out-{}";
    options_.parts.count = 2;
  }

  /// Sorts a text as one shard, and merges it into a range for files.
  SliceReport merge(const std::string& text) {
    SortOptions options = options_;
    options.parts = {};
    options.inputs = write_inputs(directory_, {text});
    ShardRequest request;
    request.directory = directory_ / "shard";
    const ShardReport shard = form_shard(options, request);
    options.inputs.clear();
    SlicePlan slices;
    slices.for_files = slices.writes_header = true;
    slices.header = ranges_.header = shard.header;
    std::uint64_t number = 0;
    for (const ShardRun& run : shard.runs) {
      const std::string path = request.directory + "/" + run.file;
      const RunCuts cuts = cut_run(options, path, number, {}, shard.header);
      slices.slices.push_back({path, number++, cuts.cuts.front(), cuts.cuts.back()});
    }
    options.output = directory_ / "range";
    const SliceReport merged = merge_slices(options, slices);
    ranges_.are_framed = merged.is_framed;
    ranges_.ranges = {{options.output, 0, merged.file_bytes}};
    return merged;
  }

  std::string file(const std::string& place) const { return read_whole_file(directory_ / ("out-" + place)); }
  std::string range() const { return read_whole_file(directory_ / "range"); }

  const TemporaryDirectory directory_;
  SortOptions options_;
  RangesPlan ranges_;
};

TEST_F(SplitRanges, RecordsThatLookLikeAHeaderAreNone) {
  options_.header_prefixes = {"#"};
  const SliceReport merged = merge("# x\nb\n#b\na\n#a\n");
  EXPECT_EQ(range(), "#a\n#b\na\nb\n");
  const RangesReport report = split_ranges(options_, ranges_);
  EXPECT_EQ(file("0"), "# x\n#a\n#b\n");
  EXPECT_EQ(file("1"), "# x\na\nb\n");
  EXPECT_EQ(report.checksums, std::vector<Checksum>{merged.file_checksum});
}

TEST_F(SplitRanges, TextInFrontOfEntriesStaysARecord) {
  options_.format.text.record_start = RecordStart("^=");
  options_.parts = {.by_first_key = true};
  options_.format.text.keys.emplace_back();
  EXPECT_TRUE(merge("z\n 1\n=a\n 2\n=a\n 3\n").is_framed);
  split_ranges(options_, ranges_);
  EXPECT_EQ(file("=a"), "=a\n 2\n=a\n 3\n");
  EXPECT_EQ(file("z"), "z\n 1\n");
}

TEST_F(SplitRanges, GroupsAreCutByTheirKeys) {
  options_.grouping.emplace().aggregates = {{AggregateKind::kCount, {}}};
  options_.parts = {.by_first_key = true};
  options_.format.text.keys.emplace_back();
  EXPECT_TRUE(merge("b\na\nb\n").is_framed);
  split_ranges(options_, ranges_);
  EXPECT_EQ(file("a").substr(0, 1) + file("b").substr(0, 1), "ab");
}

TEST_F(SplitRanges, OnlyTheStretchesOfThePlanAreRead) {
  merge("a\nb\nc\nd\n");
  ranges_.ranges = {{directory_ / "range", 2, 2}, {directory_ / "range", 4, 4}};
  EXPECT_EQ(split_ranges(options_, ranges_).checksums.size(), 2U);
  EXPECT_EQ(file("0") + file("1"), "b\nc\nd\n");
}

TEST_F(SplitRanges, WhatIsNotWholeIsRefusedAndLeavesNoFiles) {
  merge("a\nb\n");
  ranges_.ranges.front().bytes = 3;
  EXPECT_NE(error_of([&] { split_ranges(options_, ranges_); }).find("ends within a record: merge it again"),
            std::string::npos);
  ranges_.ranges.front().bytes = 5;
  EXPECT_NE(error_of([&] { split_ranges(options_, ranges_); }).find("is shorter than the plan says: merge it again"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out-0"));
  options_.parts = {};
  EXPECT_EQ(error_of([&] { split_ranges(options_, ranges_); }), "ranges are split into parts: say where parts end");
}

TEST_F(SplitRanges, PayloadsOfASecondSortComeInFrames) {
  SortOptions options;
  options.memory_bytes = kMinMemoryBytes;
  options.output_order = OutputOrder::kInput;
  options.unique = true;
  merge("b\na\n");
  SortOptions second = sort_by_place(options);
  // As a merge of the first sort writes it: two lengths, a place, and the record.
  const std::string positioned = std::string("\x08\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0b\n", 18);
  second.inputs = write_inputs(directory_, {positioned});
  ShardRequest request;
  request.directory = directory_ / "second";
  const ShardReport shard = form_shard(second, request);
  second.inputs.clear();
  const std::string path = request.directory + "/" + shard.runs.front().file;
  const RunCuts cuts = cut_run(second, path, 0, {}, "");
  SlicePlan slices;
  slices.for_files = slices.writes_payloads = true;
  slices.slices = {{path, 0, cuts.cuts.front(), cuts.cuts.back()}};
  second.output = directory_ / "range";
  EXPECT_TRUE(merge_slices(second, slices).is_framed);
  EXPECT_EQ(range(), std::string("\0\0\0\0\x02\0\0\0b\n", 10));
}

}  // namespace
}  // namespace sortie
