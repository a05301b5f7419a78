// The reports of whole sorts: phases, resources, bottleneck.
#include <chrono>
#include <thread>

#include "observe/busy_time.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

std::string records() { return make_records(parsed("gensort"), Distribution::kUniform, 20'000); }

std::vector<std::string> names_of(const std::vector<PhaseReport>& phases) {
  std::vector<std::string> names;
  for (const PhaseReport& phase : phases) names.push_back(phase.name);
  return names;
}

void expect_known_stages(const SortReport& report) {
  for (const StageReport& stage : report.stages) {
    EXPECT_TRUE(resource_of(stage.name)) << "stage '" << stage.name << "' is missing in src/observe/busy_time.cpp";
  }
}

TEST(Observation, KnowsTheResourceOfEveryStage) {
  SortForTest spilling(parsed("gensort"), {records()});
  spilling.options.unique = true;
  spilling.options.compression = Compression::kZstd;
  expect_known_stages(spilling.run());
  spilling.options.compression = Compression::kNone;
  expect_known_stages(spilling.run());
  SortForTest fitting(parsed("gensort"), {records()});
  fitting.options.memory_bytes = 64 << 20;
  expect_known_stages(fitting.run());
}

TEST(Observation, DividesASortIntoItsPhases) {
  SortForTest spilling(parsed("gensort"), {records()});
  spilling.options.memory_bytes = 1 << 20;
  EXPECT_EQ(names_of(spilling.run().phases), (std::vector<std::string>{"starting", "forming runs", "merging"}));
  SortForTest fitting(parsed("gensort"), {records()});
  fitting.options.memory_bytes = 64 << 20;
  EXPECT_EQ(names_of(fitting.run().phases),
            (std::vector<std::string>{"starting", "forming runs", "sorting", "writing"}));
}

TEST(Observation, NamesTheBusiestResourceFirst) {
  SortForTest job(parsed("gensort"), {records()});
  const SortReport report = job.run();
  double seconds = 0;
  for (const PhaseReport& phase : report.phases) seconds += phase.seconds;
  EXPECT_NEAR(seconds, report.elapsed_seconds, 1e-6);
  ASSERT_FALSE(report.resources.empty());
  for (const ResourceReport& resource : report.resources) {
    EXPECT_LE(resource.busy_seconds, report.resources.front().busy_seconds);
    EXPECT_GE(resource.share, 0);
    EXPECT_LE(resource.share, 1);
    EXPECT_LE(resource.busy_seconds, report.elapsed_seconds);
  }
}

// Merged windows that wait to be written are merged already.
TEST(Observation, TakesNoWaitingForTheOutputForMerging) {
  SortForTest job(parsed("gensort"), {records()});
  job.options.memory_bytes = 1 << 20;
  job.options.output = "-";
  job.options.sink = [](std::span<const std::byte>) { std::this_thread::sleep_for(std::chrono::milliseconds(200)); };
  const SortReport report = sort(job.options);
  ASSERT_GE(report.windows, 3U);
  EXPECT_LT(use_of("merging", report.resources).share, use_of("output writing", report.resources).share / 2);
}

TEST(Observation, CountsWhatWentThroughScratchFiles) {
  SortForTest job(parsed("gensort"), {records()});
  job.options.compression = Compression::kNone;
  const SortReport report = job.run();
  std::map<std::string, std::uint64_t> bytes;
  for (const ResourceReport& resource : report.resources) bytes[resource.name] = resource.bytes;
  ASSERT_GT(report.runs_spilled, 0U);
  EXPECT_GT(bytes["scratch reading"], 0U);
  EXPECT_GT(bytes["scratch writing"], bytes["scratch reading"]);  // headers and footers stay in memory
  EXPECT_EQ(bytes["reading"], report.input_bytes);
  EXPECT_EQ(bytes["output writing"], report.output_bytes);
}

TEST(Observation, SaysWhyTheEngineWasChosenAndWhatTheMemoryPeakWas) {
  SortForTest job(parsed("gensort"), {records()});
  const SortReport report = job.run();
  EXPECT_EQ(report.engine_reason, "as asked");
  EXPECT_EQ(report.devices, 0U);
  EXPECT_GT(report.memory_peak_bytes, job.options.memory_bytes);
  job.options.engine = EngineChoice::kAuto;  // too little input for a GPU, or no GPU
  const SortReport chosen = job.run();
  EXPECT_EQ(chosen.engine, "cpu");
  EXPECT_NE(chosen.engine_reason, "as asked");
  EXPECT_NE(plan(job.options).find("threads: " + chosen.engine_reason), std::string::npos);
}

}  // namespace
}  // namespace sortie
