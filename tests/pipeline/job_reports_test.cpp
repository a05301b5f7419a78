// What is told of jobs that are made of several sorts: chains and joins.
#include <algorithm>
#include <chrono>
#include <thread>

#include "pipeline/join_support.hpp"
#include "pipeline/record_stream_support.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

std::string mixed_numbers(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += std::to_string(i * 7919LL % count) + "\n";
  return lines;
}

std::uint64_t bytes_of(const WorkReport& report, const std::string& resource) {
  return use_of(resource, report.resources).bytes;
}

// A sort that waits for the next one to take its records, or for the one before, keeps no disk busy.
TEST(JobReport, OfAChainCountsNoWaitingForTheReaderButInTheEnd) {
  SortOptions options;
  options.unique = true;
  options.output_order = OutputOrder::kInput;
  options.source = source_of(mixed_numbers(3000), 1000);
  options.sink = [](std::span<const std::byte>) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  options.engine = EngineChoice::kCpu;
  const SortReport report = sort(options);
  EXPECT_EQ(report.phases.back().name, "restoring order");
  const double in_the_end = use_of("output writing", report.phases.back().resources).busy_seconds;
  double seconds = 0;
  for (const PhaseReport& phase : report.phases) seconds += use_of("output writing", phase.resources).busy_seconds;
  EXPECT_GE(in_the_end, 0.1);
  EXPECT_LT(seconds - in_the_end, 0.1);
}

TEST(JobReport, OfASampleShowsThePhasesOfEverySort) {
  SortForTest job(parsed("lines"), {mixed_numbers(60'000)});
  job.options.unique = true;
  job.options.output_order = OutputOrder::kInput;
  job.options.sample_records = 30'000;
  job.options.memory_bytes = 4 * kMinMemoryBytes;
  job.options.report_path = job.directory / "page";
  const SortReport report = sort(job.options);
  std::vector<std::string> names;
  for (const SortPhases& sort : report.sorts) names.push_back(sort.name);
  EXPECT_EQ(names, (std::vector<std::string>{"by place", "the sample", "the sample, by place"}));
  const std::string page = read_whole_file(job.options.report_path);
  for (const std::string& name : names) EXPECT_NE(page.find(">" + name + "<"), std::string::npos) << name;
  EXPECT_NE(page.find("pipeline_tests"), std::string::npos) << "the command of this process";
}

TEST(JobReport, OfAJoinTellsWhatBothSortsAndTheJoinKeptBusy) {
  JoinForTest job(in_random_order(lines_of_numbers(40'000, 2, "l")), in_random_order(lines_of_numbers(40'000, 3, "r")));
  const JoinReport report = join(job.options);
  ASSERT_EQ(report.phases.size(), 3U);
  EXPECT_EQ(report.phases[1].name, "sorting both inputs");
  EXPECT_EQ(report.phases[2].name, "joining");
  ASSERT_EQ(report.sorts.size(), 2U);
  EXPECT_EQ(report.sorts[0].name, "left input");
  EXPECT_EQ(report.sorts[1].name, "right input");
  for (const SortPhases& sort : report.sorts) {
    EXPECT_EQ(sort.phases.back().name, "merging");
    double seconds = sort.begin_seconds;
    for (const PhaseReport& phase : sort.phases) seconds += phase.seconds;
    EXPECT_LE(seconds, report.elapsed_seconds);
  }
  EXPECT_EQ(bytes_of(report, "reading"), report.left.input_bytes + report.right.input_bytes);
  EXPECT_EQ(bytes_of(report, "output writing"), report.output_bytes);
  EXPECT_GT(bytes_of(report, "scratch writing"), report.left.input_bytes);
  EXPECT_GT(report.scratch_peak_bytes, std::max(report.left.scratch_peak_bytes, report.right.scratch_peak_bytes));
  EXPECT_LE(report.scratch_peak_bytes, report.left.scratch_peak_bytes + report.right.scratch_peak_bytes);
  EXPECT_EQ(report.runs_spilled, report.left.runs_spilled + report.right.runs_spilled);
  EXPECT_EQ(report.memory_budget_bytes, kMinMemoryBytes);
}

TEST(JobReport, OfAJoinCountsEqualKeysThatMemoryDoesNotHoldAsScratchSpace) {
  std::string right;
  for (int i = 0; i < 9000; ++i) right += "k,r" + std::to_string(i) + std::string(50, 'x') + "\n";
  JoinForTest job("k,1\nk,2\n", right);
  job.options.sort.merge_only = true;
  const JoinReport report = join(job.options);
  EXPECT_EQ(report.left.scratch_peak_bytes + report.right.scratch_peak_bytes, 0U);
  EXPECT_GT(report.scratch_peak_bytes, right.size() / 2);
  EXPECT_EQ(bytes_of(report, "scratch reading"), 2 * bytes_of(report, "scratch writing"));
}

TEST(JobReport, OfAJoinIsWrittenToFiles) {
  JoinForTest job("b,1\na,2\n", "a,3\n");
  SortOptions& sort = job.options.sort;
  sort.trace_path = job.directory / "trace";
  sort.stats_json_path = job.directory / "stats";
  sort.report_path = job.directory / "page";
  join(job.options);
  EXPECT_TRUE(read_whole_file(sort.trace_path).ends_with("\n]}\n"));
  EXPECT_NE(read_whole_file(sort.trace_path).find("\"left input: phases\""), std::string::npos);
  EXPECT_NE(read_whole_file(sort.stats_json_path).find("\"output_records\": 1,"), std::string::npos);
  EXPECT_NE(read_whole_file(sort.report_path).find("joined in"), std::string::npos);
}

TEST(JobReport, OfAJoinThatCannotBeWrittenSaysThatTheOutputIsComplete) {
  for (std::string SortOptions::*path :
       {&SortOptions::trace_path, &SortOptions::stats_json_path, &SortOptions::report_path}) {
    JoinForTest job("b,1\na,2\n", "a,3\n");
    job.options.sort.*path = "/dev/full";
    EXPECT_NE(job.refusal().find("; the output is complete"), std::string::npos) << job.refusal();
    EXPECT_EQ(job.output(), "a,2,3\n");
    job.options.sort.*path = job.directory / "nowhere/file";
    std::filesystem::remove(job.options.sort.output);
    EXPECT_NE(job.refusal().find("No such file"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(job.options.sort.output));
  }
}

TEST(PlanOfAJoin, TellsOfBothSorts) {
  JoinForTest job(in_random_order(lines_of_numbers(40'000, 2, "l")), "1,2\n");
  const std::string text = plan(job.options);
  EXPECT_TRUE(text.starts_with("join          262 kB: 32.8 kB for right records with equal keys")) << text;
  const std::size_t right = text.find("\n\nright input\nformat        lines\ninput         4 B\n");
  ASSERT_NE(right, std::string::npos) << text;
  EXPECT_LT(text.find("\n\nleft input\nformat        lines\ninput         1."), right) << text;
  EXPECT_NE(text.find("runs          about "), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(job.options.sort.output));
  job.options.sort.inputs[1] += "x";
  EXPECT_NE(error_of([&] { plan(job.options); }).find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace sortie
