// Cuts the power at an operation of a sort with a checkpoint, and again while the sort is continued, until it is done.
// At any time the output is missing or right. In the end it is right, and nothing else is left. With the environment
// variable SORTIE_EVERY_POWER_CUT this is done for every operation, otherwise for one in a few.
#include <cstdlib>

#include "pipeline/checkpoint/checkpoint_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;
using Loss = PowerCutDisk::Loss;

std::uint64_t step() { return std::getenv("SORTIE_EVERY_POWER_CUT") != nullptr ? 1 : 17; }

class PowerCuts {
 public:
  explicit PowerCuts(const CheckpointedSort& job) : job_(job), expected_(CheckpointedSort(job).expected()) {}

  /// Cuts the power at one operation after another. Returns how many sorts reused runs.
  std::uint64_t survive_all(Loss loss) {
    std::uint64_t resumed = 0;
    CheckpointedSort whole = job_;
    EXPECT_TRUE(whole.attempt());
    for (std::uint64_t cut_at = 1; cut_at < whole.operations && !testing::Test::HasFailure(); cut_at += step()) {
      SCOPED_TRACE("power cut at operation " + std::to_string(cut_at) + ", loss " +
                   std::to_string(static_cast<int>(loss)));
      if (survive(cut_at, whole.operations, loss)) ++resumed;
    }
    return resumed;
  }

 private:
  // Returns whether the last attempt reused runs.
  bool survive(std::uint64_t cut_at, std::uint64_t operations, Loss loss) {
    CheckpointedSort job = job_;
    job.random.seed(cut_at);
    std::optional<SortReport> report = job.attempt(cut_at);
    for (int attempts = 1; !report && attempts < 100; ++attempts) {
      job.disk.cut_power(loss, job.random);
      EXPECT_TRUE(job.output().value_or(expected_) == expected_) << "a wrong output";
      const std::uint64_t next = 1 + job.random() % operations;
      report = job.attempt(attempts < 8 ? next : PowerCutFileSystem::kNever);
    }
    EXPECT_TRUE(report) << "it does not come to an end";
    EXPECT_TRUE(job.output() == expected_);
    // An attempt that had not written its manifest yet may have left an empty directory.
    EXPECT_TRUE(job.kept_names().empty());
    // The finished file may still have its first name, if the power went between naming and renaming it.
    for (const auto& [name, node] : job.disk.directory("/output").names) {
      EXPECT_TRUE(name == "sorted" || name.starts_with(".sorted.sortie-")) << name;
    }
    job.disk.cut_power(Loss::kAll, job.random);
    EXPECT_TRUE(job.output() == expected_) << "the output was not durable";
    return report && report->runs_resumed > 0;
  }

  CheckpointedSort job_;
  std::string expected_;
};

void survive_all_losses(const CheckpointedSort& job) {
  for (const Loss loss : test::turns_of({Loss::kNone, Loss::kAll, Loss::kChance}))
    EXPECT_GT(PowerCuts(job).survive_all(loss), 0U);
}

TEST(CheckpointFaults, LeaveWhatTheNextSortGoesOnFrom) {
  const Format format = parsed("gensort");
  const CheckpointedSort job(format, {make_records(format, Distribution::kUniform, 5000)});
  CheckpointedSort whole = job;
  const std::string expected = whole.expected();
  ASSERT_TRUE(whole.attempt());
  std::uint64_t resumed = 0;
  for (std::uint64_t operation = 1; operation < whole.operations; operation += step()) {
    SCOPED_TRACE(operation);
    CheckpointedSort failing = job;
    static_cast<void>(failing.attempt(operation, true));
    ASSERT_TRUE(failing.output().value_or(expected) == expected);
    // Files that do not help the next sort are not left.
    ASSERT_TRUE(failing.kept_names().empty() || failing.kept_run() || failing.output());
    const auto report = failing.attempt();
    ASSERT_TRUE(report && failing.output() == expected);
    ASSERT_TRUE(failing.kept_names().empty());
    resumed += report->runs_resumed > 0 ? 1 : 0;
  }
  EXPECT_GT(resumed, 0U);
}

TEST(CheckpointPower, MayBeCutInASortOfRecords) {
  const Format format = parsed("gensort");
  survive_all_losses({format,
                      {make_records(format, Distribution::kUniform, 3000), make_records(format, Distribution::kZipf, 1),
                       make_records(format, Distribution::kZipf, 2000)}});
}

TEST(CheckpointPower, MayBeCutInASortOfLinesWithKeysThatKeepsTheirOrder) {
  Format format = parsed("lines");
  format.text.keys.push_back({.begin = {}, .end = TextPosition{.field = 0, .byte = 1}});
  format.text.last_resort = false;
  // The last line of the first input lacks its newline.
  std::string first = make_records(format, Distribution::kUniform, 9000);
  first.pop_back();
  survive_all_losses({format, {first, make_records(format, Distribution::kUniform, 9000)}});
}

TEST(CheckpointPower, MayBeCutInPassesThatDropDuplicates) {
  const Format format = parsed("u32");
  CheckpointedSort job(format, {make_records(format, Distribution::kFewValued, 150'000)});
  job.options.unique = true;
  job.options.merge_fan_in = 2;
  CheckpointedSort whole = job;
  EXPECT_GT(whole.attempt()->merge_passes, 2U);
  survive_all_losses(job);
}

}  // namespace
}  // namespace sortie
