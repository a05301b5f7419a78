// An output in the order of the input by the functions of shard.hpp, without anybody who divides the work.
#include <sortie/shard.hpp>

#include <string>
#include <vector>

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

/// Forms one shard of the inputs, cuts it nowhere, and merges it into `output`.
SliceReport do_all(SortOptions options, const std::string& directory, const std::string& output, SlicePlan plan = {}) {
  ShardRequest request;
  request.directory = directory;
  const ShardReport shard = form_shard(options, request);
  options.inputs.clear();
  std::uint64_t number = 0;
  for (const ShardRun& run : shard.runs) {
    const std::string path = directory + "/" + run.file;
    const RunCuts cuts = cut_run(options, path, number, {}, shard.header);
    plan.slices.push_back({path, number, cuts.cuts.front(), cuts.cuts.back()});
    ++number;
  }
  options.output = output;
  return merge_slices(options, plan);
}

struct Sorted {
  SliceReport first;
  SliceReport second;
  std::string output;
};

Sorted sort_twice(const TemporaryDirectory& directory, SortOptions options, const std::string& text) {
  options.memory_bytes = kMinMemoryBytes;
  options.output_order = OutputOrder::kInput;
  options.inputs = write_inputs(directory, {text});
  Sorted sorted;
  sorted.first = do_all(options, directory / "shard", directory / "range");
  options.inputs = {directory / "range"};
  options = sort_by_place(options);
  SlicePlan plan;
  plan.writes_payloads = true;
  plan.most_records = 2;
  sorted.second = do_all(options, directory / "second", directory / "out", plan);
  sorted.output = read_whole_file(directory / "out");
  return sorted;
}

TEST(ShardByPlace, KeepsTheFirstOfEqualRecordsInTheOrderOfTheInput) {
  const TemporaryDirectory directory;
  SortOptions options;
  options.unique = true;
  options.top_records = 1;  // of the second sort, whose merges say it
  const Sorted sorted = sort_twice(directory, options, "c\na\nc\nb\na\n");
  EXPECT_EQ(sorted.output, "c\na\n");
  EXPECT_EQ(sorted.first.output.records, 3U);
  // Two lengths and a position are beside each line.
  EXPECT_EQ(sorted.first.passed_on.bytes, 3U * (2 + 16));
  EXPECT_EQ(sorted.second.input.records, 3U);
  EXPECT_EQ(sorted.second.output.records, 2U);
}

TEST(ShardByPlace, GroupsTellHowManyRecordsTheyAreMadeOf) {
  const TemporaryDirectory directory;
  SortOptions options;
  options.grouping.emplace().aggregates = {{AggregateKind::kCount, {}}};
  options.inputs = write_inputs(directory, {"c\na\nc\nb\na\n"});
  const SliceReport merged = do_all(options, directory / "shard", directory / "out");
  EXPECT_EQ(merged.output.records, 3U);
  EXPECT_EQ(merged.grouped.records, 5U);
  EXPECT_EQ(merged.grouped.bytes, 10U);
  EXPECT_EQ(read_whole_file(directory / "out").substr(0, 1), "a");
}

TEST(ShardByPlace, ASetIsToldByTheHighestBitsOfPlaces) {
  const TemporaryDirectory directory;
  SortOptions options;
  options.set_operation = SetOperation::kExcept;
  options.set_inputs = 2;
  options.inputs = write_inputs(directory, {"a\nb\n"});
  EXPECT_EQ(do_all(options, directory / "shard", directory / "out").output.records, 2U);
  ShardRequest request;
  request.directory = directory / "other";
  request.position = std::uint64_t{1} << 54;  // of the second of both sets
  const ShardReport shard = form_shard(options, request);
  const std::string path = request.directory + "/" + shard.runs.at(0).file;
  options.inputs.clear();
  const RunCuts cuts = cut_run(options, path, 0, {}, "");
  options.output = directory / "out";
  SlicePlan plan;
  plan.slices = {{path, 0, cuts.cuts.front(), cuts.cuts.back()}};
  EXPECT_EQ(merge_slices(options, plan).output.records, 0U);
}

}  // namespace
}  // namespace sortie
