// Every file operation of a sort is made to fail, one after another: the outcome is the right output, or an
// Error with the target as it was; never a hang, a partial output or a file left behind.
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "support/faulty_file_system.hpp"

namespace sortie {
namespace {

using namespace test;

class FaultTest {
 public:
  explicit FaultTest(SortForTest& job) : job_(job), expected_(job.expected()) {
    write_whole_file(job_.options.output, "as it was");
    names_ = job_.directory.names();
  }

  /// Fails operation `first` and maybe all later ones. False if the sort had no operation `first`.
  bool survive(std::uint64_t first, bool from_then_on) {
    SCOPED_TRACE("operation " + std::to_string(first) + (from_then_on ? " and all later ones" : ""));
    FaultPlan plan;
    plan.first = first;
    plan.from_then_on = from_then_on;
    plan.error_number = ENOSPC;
    FaultyFileSystem faulty(*files_, plan);
    std::string message;
    try {
      SortJob(faulty, job_.options).run();
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(job_.directory.names(), names_);
    job_.expect_no_scratch_files();
    const bool failed = !faulty.last_failed().empty();
    EXPECT_TRUE(failed || message.empty()) << message;
    // Once renamed, only its permanence can be in doubt.
    const bool complete = message.empty() || message.find("the output is complete") != std::string::npos;
    EXPECT_TRUE(job_.output() == (complete ? expected_ : "as it was")) << message;
    if (complete) write_whole_file(job_.options.output, "as it was");
    return failed;
  }

  /// Every `step`th operation until there are no more. Returns how many there are.
  std::uint64_t survive_all(std::uint64_t step = 1) {
    std::uint64_t operation = 1;
    while (!testing::Test::HasFailure() && survive(operation, false)) {
      survive(operation, true);
      operation += step;
    }
    return operation;
  }

 private:
  SortForTest& job_;
  std::string expected_;
  std::set<std::string> names_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST(SortFaults, OfASortInMemory) {
  SortForTest job(parsed("lines"), {"b\na\n", "c"});
  EXPECT_GT(FaultTest(job).survive_all(), 10U);
}

TEST(SortFaults, OfASortThatSpills) {
  const Format format = parsed("gensort");
  SortForTest job(
      format, {make_records(format, Distribution::kUniform, 1500), make_records(format, Distribution::kZipf, 1500)});
  EXPECT_GT(job.run().runs_spilled, 1U);
  EXPECT_GT(FaultTest(job).survive_all(), 100U);
}

TEST(SortFaults, OfASortOfSeveralPasses) {
  const Format format = parsed("i64");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 80'000)});
  job.options.compression = Compression::kZstd;
  EXPECT_GE(job.run().merge_passes, 2U);
  EXPECT_GT(FaultTest(job).survive_all(13), 300U);
}

TEST(SortFaults, OfASortOfLinesWithLongCommonPrefixes) {
  SortForTest job(parsed("lines"), {lines_with_prefix(1200, 300)});
  EXPECT_GT(job.run().runs_spilled, 1U);
  EXPECT_GT(FaultTest(job).survive_all(5), 100U);
}

TEST(SortFaults, OfAMergeOfSortedInputs) {
  const Format format = parsed("lines");
  auto inputs = sorted_ranges(format, make_records(format, Distribution::kUniform, 20'000), 6);
  inputs[2].pop_back();  // without its last newline it cannot be merged where it lies
  SortForTest job(format, inputs);
  job.options.merge_only = true;
  EXPECT_GT(FaultTest(job).survive_all(3), 50U);
}

TEST(SortFaults, OfASortOntoItsInput) {
  // The target "as it was" is the input: it must be there for the next attempt.
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kUniform, 3000);
  const auto files = make_posix_file_system();
  for (std::uint64_t operation = 1;; ++operation) {
    SCOPED_TRACE(operation);
    SortForTest job(format, {bytes});
    job.options.output = job.options.inputs[0];
    FaultPlan plan;
    plan.first = operation;
    FaultyFileSystem faulty(*files, plan);
    std::string message;
    try {
      SortJob(faulty, job.options).run();
    } catch (const Error& error) {
      message = error.what();
    }
    const bool complete = message.empty() || message.find("the output is complete") != std::string::npos;
    ASSERT_TRUE(job.output() == (complete ? job.expected() : bytes)) << message;
    if (faulty.last_failed().empty()) break;
  }
}

}  // namespace
}  // namespace sortie
