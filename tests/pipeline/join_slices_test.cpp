// Joins by several processes: parts, one behind the other, are the rows of one join.
#include <sortie/join_shards.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/join_support.hpp"

namespace sortie {
namespace {

using namespace test;

/// Both sides of a join as shards, one for each, cut at bounds.
class SlicedJoin {
 public:
  explicit SlicedJoin(JoinForTest& job) : job_(job) {
    for (const JoinSide side : {JoinSide::kLeft, JoinSide::kRight}) form(side);
  }

  const ShardReport& shard(JoinSide side) const { return shards_[static_cast<std::size_t>(side)]; }

  void cut(const std::vector<SliceBound>& bounds) {
    parts_ = bounds.size() + 1;
    bounds_ = bounds;
    std::filesystem::create_directory(job_.directory / "cuts");
    std::uint64_t first_run = 0;
    std::string lists;
    for (const JoinSide side : {JoinSide::kLeft, JoinSide::kRight}) {
      std::vector<std::string> runs;
      for (const ShardRun& run : shard(side).runs) runs.push_back(folder(side) + "/" + run.file);
      if (!runs.empty()) cut_shard(options(), side, runs, first_run, bounds, shard(side).header, cut_file(side));
      first_run += runs.size();
      lists += (lists.empty() ? "" : ",") + list_of(runs);
    }
    write_whole_file(job_.directory / "runs.json", "{\"shards\":[" + lists + "]}");
  }

  SliceReport join_part(std::uint64_t part) const {
    JoinOptions options = job_.options;
    options.sort.output = job_.directory / ("part" + std::to_string(part));
    JoinSlicePlan plan;
    plan.slices.header = shard(JoinSide::kLeft).header;
    plan.slices.writes_header = part == 0;
    if (part > 0) plan.slices.begin = bounds_[part - 1];
    if (part < bounds_.size()) plan.slices.end = bounds_[part];
    plan.slices.source = SliceSource{job_.directory / "runs.json", job_.directory / "cuts", part, parts_};
    plan.first_right_run = shard(JoinSide::kLeft).runs.size();
    plan.right_header = shard(JoinSide::kRight).header;
    plan.first_left = first_of(JoinSide::kLeft);
    plan.first_right = first_of(JoinSide::kRight);
    return join_slices(options, plan);
  }

  std::string rows() const {
    std::string all;
    for (std::uint64_t part = 0; part < parts_; ++part) {
      join_part(part);
      all += read_whole_file(job_.directory / ("part" + std::to_string(part)));
    }
    return all;
  }

 private:
  std::string folder(JoinSide side) const { return job_.directory / (side == JoinSide::kLeft ? "left" : "right"); }
  std::string cut_file(JoinSide side) const {
    return job_.directory / (side == JoinSide::kLeft ? "cuts/000000.rows" : "cuts/000001.rows");
  }
  std::optional<std::string> first_of(JoinSide side) const {
    return shard(side).first ? std::optional(shard(side).first->record) : std::nullopt;
  }

  JoinOptions options() const {
    JoinOptions options = job_.options;
    options.sort.inputs.clear();
    options.sort.output = "-";
    return options;
  }

  void form(JoinSide side) {
    JoinOptions of_side = options();
    of_side.sort.inputs = {job_.options.sort.inputs[static_cast<std::size_t>(side)]};
    ShardRequest request;
    request.directory = folder(side);
    shards_.push_back(form_shard(of_side, side, request));
  }

  static std::string list_of(const std::vector<std::string>& runs) {
    std::string list;
    for (const std::string& run : runs) list += (list.empty() ? "[\"" : ",[\"") + run + "\",1]";
    return "{\"runs\":[" + list + "]}";
  }

  JoinForTest& job_;
  std::vector<ShardReport> shards_;
  std::vector<SliceBound> bounds_;
  std::size_t parts_ = 1;
};

/// A bound in front of all records with the key of this sample.
SliceBound in_front_of(const ShardSample& sample) { return {sample.record, -1, 0, 0}; }

std::string rows_of_one_join(JoinForTest& job) {
  join(job.options);
  return job.output();
}

TEST(JoinSlices, PartsAreTheRowsOfOneJoinWhicheverSideTheBoundIsOf) {
  for (const JoinSide side : {JoinSide::kLeft, JoinSide::kRight}) {
    JoinForTest job(in_random_order(lines_of_numbers(20'000, 2, "l")),
                    in_random_order(lines_of_numbers(20'000, 3, "r")));
    job.options.kind = JoinKind::kFull;
    SlicedJoin sliced(job);
    EXPECT_GT(sliced.shard(side).runs.size(), 1U);
    EXPECT_FALSE(sliced.shard(side).divides_equal_keys);
    const std::vector<ShardSample>& samples = sliced.shard(side).samples;
    sliced.cut({in_front_of(samples[samples.size() / 2])});
    EXPECT_TRUE(sliced.rows() == rows_of_one_join(job));
  }
}

TEST(JoinSlices, KeysThatStandElsewhereOnTheRightAreCutByTheSameBounds) {
  JoinForTest job("d,1\nb,2\nc,3\nb,4\n", "1,b\n2,c\n3,b\n4,e\n");
  job.options.right_keys = {parse_text_key("2,2")};
  job.options.kind = JoinKind::kFull;
  SlicedJoin sliced(job);
  std::vector<SliceBound> bounds;
  for (const ShardSample& sample : sliced.shard(JoinSide::kRight).samples) {
    if (bounds.empty() || sample.record != bounds.back().record) bounds.push_back(in_front_of(sample));
  }
  EXPECT_EQ(bounds.size(), 3U);
  sliced.cut(bounds);
  EXPECT_EQ(sliced.rows(), rows_of_one_join(job));
}

TEST(JoinSlices, APartKnowsTheFirstRecordOfEachSide) {
  JoinForTest job("a,1,2,3\nz,1\n", "b\nc,1,2\n");
  job.options.kind = JoinKind::kFull;
  SlicedJoin sliced(job);
  EXPECT_EQ(sliced.shard(JoinSide::kLeft).first->record, "a,1,2,3\n");
  EXPECT_EQ(sliced.shard(JoinSide::kRight).first->record, "b\n");
  sliced.cut({in_front_of(sliced.shard(JoinSide::kRight).samples.back())});
  EXPECT_EQ(sliced.rows(), rows_of_one_join(job));
}

TEST(JoinSlices, AReportHasWhatWasReadOfBothSides) {
  JoinForTest job("a,1\nb,2\n", "a,3\na,4\nc,5\n");
  SlicedJoin sliced(job);
  sliced.cut({});
  const SliceReport report = sliced.join_part(0);
  EXPECT_EQ(report.input.records, 5U);
  EXPECT_EQ(report.input.bytes, 20U);
  EXPECT_NE(report.input.checksum, Checksum());
  EXPECT_EQ(report.output.records, 2U);
  EXPECT_EQ(report.file_bytes, read_whole_file(job.directory / "part0").size());
  EXPECT_EQ(report.identity, sliced.shard(JoinSide::kLeft).identity + sliced.shard(JoinSide::kRight).identity);
}

TEST(JoinSlices, SidesDoNotTakeEachOthersRunsNorThoseOfASort) {
  JoinForTest job("a,1\n", "b,2\n");
  job.options.right_keys = {parse_text_key("2,2")};
  SlicedJoin sliced(job);
  JoinOptions options = job.options;
  options.sort.inputs.clear();
  options.sort.output = "-";
  const std::string run = job.directory / "left/" + sliced.shard(JoinSide::kLeft).runs[0].file;
  const std::string refusal =
      "run file '" + run + "' cannot be used: it is no run of a shard that was made with these options";
  const auto cut_as = [&](JoinSide side) { cut_shard(options, side, {run}, 0, {}, "", job.directory / "rows"); };
  cut_as(JoinSide::kLeft);
  EXPECT_TRUE(error_of([&] { cut_as(JoinSide::kRight); }).starts_with(refusal));
  EXPECT_TRUE(error_of([&] { cut_run(options.sort, run, 0, {}, ""); }).starts_with(refusal));
}

}  // namespace
}  // namespace sortie
