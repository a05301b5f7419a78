// Merging inputs that are sorted already.
#include <sys/stat.h>

#include <thread>

#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

struct MergeForTest : SortForTest {
  MergeForTest(const Format& format, const std::vector<std::string>& contents) : SortForTest(format, contents) {
    options.merge_only = true;
  }
};

TEST(MergeOnly, MergesSortedInputsStably) {
  for (const char* name : {"lines", "fixed:30", "f64"}) {
    for (const Distribution distribution : kAllDistributions) {
      SCOPED_TRACE(std::string(name) + ", " + to_string(distribution));
      const Format format = name[0] == 'f' && name[1] == 'i' ? parsed(name, {"u16be@0"}) : parsed(name);
      const std::string bytes =
          make_records(format, distribution, 500'000 / std::max<std::size_t>(10, format.record_bytes));
      MergeForTest job(format, sorted_ranges(format, bytes, 3));
      const SortReport report = job.run();
      EXPECT_TRUE(job.output() == stable_sorted(format, bytes));
      expect_consistent(report, job);
      EXPECT_EQ(report.runs_spilled, 0U) << "plain files are merged where they lie";
    }
  }
}

TEST(MergeOnly, TakesMoreInputsThanOnePassCan) {
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kFewValued, 40'000);
  MergeForTest job(format, sorted_ranges(format, bytes, 40));
  const SortReport report = job.run();
  EXPECT_TRUE(job.output() == stable_sorted(format, bytes));
  expect_consistent(report, job);
  EXPECT_EQ(report.runs, 40U);
  EXPECT_GE(report.merge_passes, 2U);
}

TEST(MergeOnly, CompletesLastLinesAndSkipsEmptyInputs) {
  MergeForTest job(parsed("lines"), {"a\nc", "", "b\nd\n", "\nb"});
  const SortReport report = job.run();
  EXPECT_EQ(job.output(), "\na\nb\nb\nc\nd\n");
  EXPECT_EQ(report.runs, 3U);
}

TEST(MergeOnly, OfNothingIsNothing) {
  MergeForTest job(parsed("lines"), {"", ""});
  EXPECT_EQ(job.run().runs, 0U);
  EXPECT_EQ(job.output(), "");
}

TEST(MergeOnly, KeepsOnlyTheFirstOfEqualKeysIfAskedTo) {
  const Format format = parsed("fixed:12", {"u8@0"});
  const std::string bytes = make_records(format, Distribution::kZipf, 60'000);
  MergeForTest job(format, sorted_ranges(format, bytes, 5));
  job.options.unique = true;
  const SortReport report = job.run();
  EXPECT_TRUE(job.output() == stable_sorted(format, bytes, true));
  expect_consistent(report, job);
}

TEST(MergeOnly, ReplacesAnInput) {
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kUniform, 100'000);
  MergeForTest job(format, sorted_ranges(format, bytes, 2));
  job.options.output = job.options.inputs[0];
  job.run();
  EXPECT_TRUE(job.output() == stable_sorted(format, bytes));
}

TEST(MergeOnly, TakesPipesAndCompressedInputs) {
  const Format format = parsed("lines");
  const auto ranges = sorted_ranges(format, make_records(format, Distribution::kUniform, 60'000), 3);
  MergeForTest job(format, ranges);
  const std::string expected = job.expected();
  SortOptions pack = job.options;
  pack.inputs = {job.options.inputs[1]};
  pack.output = job.directory / "packed.gz";
  sort(pack);
  const std::string pipe = job.directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_whole_file(pipe, ranges[2]); });
  job.options.inputs = {job.options.inputs[0], pack.output, pipe};
  const SortReport report = job.run();
  writer.join();
  EXPECT_TRUE(job.output() == expected);
  EXPECT_EQ(report.runs_spilled, 2U);
}

TEST(MergeOnly, RefusesAnInputThatIsNotSorted) {
  const std::string sorted =
      stable_sorted(parsed("lines"), make_records(parsed("lines"), Distribution::kUniform, 50'000));
  MergeForTest job(parsed("lines"), {sorted, "b\na\n"});
  write_whole_file(job.options.output, "as it was");
  try {
    sort(job.options);
    FAIL() << "no Error was thrown";
  } catch (const DisorderError& error) {
    EXPECT_NE(std::string(error.what()).find("input1' is not sorted: record 2 at offset 2"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(job.output(), "as it was");
  job.expect_no_scratch_files();
}

}  // namespace
}  // namespace sortie
