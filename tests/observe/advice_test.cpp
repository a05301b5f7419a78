// One test for each bottleneck: what the page says of it, and what would help.
#include "observe/advice.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

/// A sort of ten seconds with one phase, of which each resource was busy a part.
SortReport sort_with(const std::vector<std::pair<std::string, double>>& shares) {
  SortReport report;
  report.elapsed_seconds = 10;
  for (const auto& [name, share] : shares) report.resources.push_back({name, 1'000'000'000, 10 * share, share});
  report.phases = {{"sorting", 10, report.resources}};
  report.merge_passes = 1;
  return report;
}

constexpr SortConditions kFourThreads{.threads = 4, .processors = 4};
constexpr ProcessorUse kIdle{.seconds = 4, .machine_share = 0.1};  // of the 40 seconds that there were
constexpr ProcessorUse kWorking{.seconds = 38, .machine_share = 0.95};

void expect_advice(const Advice& advice, const std::string& bottleneck, const std::string& help) {
  EXPECT_EQ(advice.bottleneck, bottleneck);
  EXPECT_NE(advice.help.find(help), std::string::npos) << advice.help;
}

TEST(Advice, OfAShortSortIsThatNothingIsToGain) {
  SortReport report = sort_with({{"reading", 0.9}});
  report.elapsed_seconds = 0.002;
  expect_advice(advise(report, kFourThreads, {}), "The sort was over in 2.0 ms.", "nothing to gain");
  expect_advice(advise(SortReport(), kFourThreads, {}), "The sort was over in 0.0 ms.", "nothing to gain");
}

TEST(Advice, OfADiskNamesTheDisk) {
  expect_advice(advise(sort_with({{"reading", 0.94}}), kFourThreads, kIdle),
                "The disk of the input is busy 94% of the time.", "faster disk for the input");
  expect_advice(advise(sort_with({{"output writing", 0.9}}), kFourThreads, kIdle),
                "The disk of the output is busy 90% of the time.", "faster disk for the output");
}

TEST(Advice, OfAPipeNamesTheProgramAtItsOtherEnd) {
  SortConditions conditions = kFourThreads;
  conditions.reads_stream = conditions.writes_stream = true;
  expect_advice(advise(sort_with({{"reading", 0.94}}), conditions, kIdle),
                "The sort waits for its input 94% of the time.", "program in front");
  expect_advice(advise(sort_with({{"output writing", 0.9}}), conditions, kIdle),
                "The sort waits for the reader of its output 90% of the time.", "program behind");
}

TEST(Advice, OfAPackedOutputNamesItsLevel) {
  SortConditions conditions = kFourThreads;
  conditions.packs_output = true;
  expect_advice(advise(sort_with({{"output writing", 0.9}}), conditions, kIdle),
                "Packing and writing the output goes on 90% of the time.", "A lower level of packing");
}

TEST(Advice, OfScratchSpaceCountsWritingAndReadingTogether) {
  SortReport report = sort_with({{"reading", 0.6}, {"scratch writing", 0.5}, {"scratch reading", 0.44}});
  report.phases = {{"forming runs", 5, {{"scratch writing", 0, 5, 1}}},
                   {"merging", 5, {{"scratch reading", 0, 4.4, 0.88}}}};
  expect_advice(advise(report, kFourThreads, kIdle), "The disk of the scratch space is busy 94% of the time.",
                "Another directory for scratch space, on a second disk");
  SortConditions conditions = kFourThreads;
  conditions.scratch_directories = 2;
  expect_advice(advise(report, conditions, kIdle), "The disk of the scratch space is busy 94% of the time.",
                "A further directory for scratch space");
  report.merge_passes = 3;
  expect_advice(advise(report, kFourThreads, kIdle), "The disk of the scratch space is busy 94% of the time.",
                "3 passes");
}

TEST(Advice, CountsScratchSpaceOnceWhileItIsWrittenAndRead) {
  const SortReport report = sort_with({{"scratch writing", 0.6}, {"scratch reading", 0.55}});
  EXPECT_EQ(advise(report, kFourThreads, kIdle).bottleneck, "The disk of the scratch space is busy 60% of the time.");
}

// What is written first may be read while another sort writes.
TEST(Advice, CountsScratchSpaceOfSeveralSortsByTheOneThatNeedsItMost) {
  SortReport report = sort_with({{"scratch writing", 0.5}, {"scratch reading", 0.4}});
  report.sorts = {
      {"left input",
       0,
       {{"forming runs", 5, {{"scratch writing", 0, 5, 1}}}, {"merging", 5, {{"scratch reading", 0, 4, 0.8}}}}},
      {"right input", 0, {{"forming runs", 2, {{"scratch writing", 0, 2, 1}}}}}};
  EXPECT_EQ(advise(report, kFourThreads, kIdle).bottleneck, "The disk of the scratch space is busy 90% of the time.");
}

TEST(Advice, OfAJoinSpeaksOfTheJoin) {
  SortConditions conditions = kFourThreads;
  conditions.job = "join";
  expect_advice(advise(SortReport(), conditions, {}), "The join was over in 0.0 ms.", "nothing to gain");
  expect_advice(advise(sort_with({{"joining", 0.9}}), conditions, kIdle),
                "Joining, which one thread does, goes on 90% of the time.", "Fewer columns");
  conditions.writes_stream = true;
  expect_advice(advise(sort_with({{"output writing", 0.9}}), conditions, kIdle),
                "The join waits for the reader of its output 90% of the time.", "program behind the join");
}

TEST(Advice, OfProcessorsIsMoreOfThem) {
  const SortReport report = sort_with({{"output writing", 0.97}, {"sorting", 0.9}});
  expect_advice(advise(report, kFourThreads, kWorking), "The processors are busy 95% of the time.",
                "More or faster processors");
  expect_advice(advise(report, {.threads = 4, .processors = 16}, kWorking), "The processors are busy 95% of the time.",
                "More threads: 16 use all");
}

TEST(Advice, OfProcessorsThatAreTheBusiestOfAllNamesThem) {
  expect_advice(
      advise(sort_with({{"sorting", 0.3}, {"merging", 0.4}}), kFourThreads, {.seconds = 24, .machine_share = 0.6}),
      "The processors are busy 60% of the time, nothing else more than 40%.", "More or faster processors");
}

TEST(Advice, OfAMachineThatOthersUseTooSaysSo) {
  const ProcessorUse use{.seconds = 8, .machine_share = 0.98};
  expect_advice(
      advise(sort_with({{"sorting", 0.3}}), kFourThreads, use),
      "The processors of the machine are busy 98% of the time, and this sort had 20% of what it could use: other "
      "programs have the rest.",
      "Fewer programs");
  EXPECT_NE(advise(sort_with({{"merging", 0.7}}), kFourThreads, use).help.find("Fewer programs"), std::string::npos);
  expect_advice(advise(sort_with({{"scratch writing", 0.64}}), kFourThreads, use),
                "The disk of the scratch space is busy 64% of the time.", "Another directory");
}

TEST(Advice, OfWorkThatDoesNotFillTheProcessorsNamesTheWork) {
  for (const auto& [name, words] :
       std::vector<std::pair<std::string, std::string>>{{"making keys", "Making keys"},
                                                        {"sorting", "Sorting"},
                                                        {"merging", "Merging"},
                                                        {"checking", "Checking"},
                                                        {"keeping runs", "Copying and unpacking"},
                                                        {"compression", "Compressing runs"}}) {
    const Advice advice = advise(sort_with({{name, 0.8}}), kFourThreads, kIdle);
    EXPECT_TRUE(advice.bottleneck.starts_with(words)) << advice.bottleneck;
    EXPECT_FALSE(advice.help.empty());
  }
  expect_advice(advise(sort_with({{"compression", 0.8}}), kFourThreads, kIdle),
                "Compressing runs goes on 80% of the time.", "not compressed");
  expect_advice(advise(sort_with({{"making keys", 0.8}}), kFourThreads, kIdle), "Making keys goes on 80% of the time.",
                "Simpler keys");
}

TEST(Advice, OfAGpuNamesWhichPartOfIt) {
  expect_advice(advise(sort_with({{"H2D", 0.8}}), kFourThreads, kIdle), "The link to the GPU is busy 80% of the time.",
                "More GPUs, each with a link of its own");
  expect_advice(advise(sort_with({{"D2H", 0.8}}), kFourThreads, kIdle),
                "The link from the GPU is busy 80% of the time.", "More GPUs, each with a link of its own");
  expect_advice(advise(sort_with({{"kernels", 0.8}}), kFourThreads, kIdle), "The GPU is busy 80% of the time.",
                "faster GPU");
  expect_advice(advise(sort_with({{"starting", 0.8}}), kFourThreads, kIdle), "Starting the GPU takes 80% of the time.",
                "The CPU engine");
}

TEST(Advice, SaysWhereNothingIsABottleneck) {
  SortReport report = sort_with({{"reading", 0.3}, {"sorting", 0.4}});
  expect_advice(advise(report, kFourThreads, kIdle),
                "Nothing is busy more than 40% of the time: stages wait for one another.", "No single option");
  report.runs_spilled = 7;
  expect_advice(advise(report, kFourThreads, kIdle),
                "Nothing is busy more than 40% of the time: stages wait for one another.",
                "More memory, so that fewer");
}

}  // namespace
}  // namespace sortie
