#include "pipeline/describe_plan.hpp"

#include "pipeline/sort_support.hpp"
#include "support/faulty_file_system.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(DescribePlan, SaysThatASmallInputFitsInMemory) {
  const SortForTest job(parsed("lines"), {"b\na\n"});
  const std::string text = plan(job.options);
  EXPECT_NE(text.find("format        lines\n"), std::string::npos) << text;
  EXPECT_NE(text.find("input         4 B\n"), std::string::npos) << text;
  EXPECT_NE(text.find("runs          1: all fits in memory"), std::string::npos) << text;
}

TEST(DescribePlan, SaysHowALargeInputIsMerged) {
  const Format format = parsed("gensort");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 20'000)});
  job.options.memory_bytes = 2 * kMinMemoryBytes;
  const std::string text = plan(job.options);
  const SortReport report = job.run();
  EXPECT_NE(text.find("runs          about " + std::to_string(report.runs)), std::string::npos) << text << report.runs;
  EXPECT_NE(text.find("merge         " + std::to_string(report.merge_passes) + " passes"), std::string::npos) << text;
  EXPECT_NE(text.find(job.scratch), std::string::npos) << text;
}

TEST(DescribePlan, SaysThatLittleIsSortedWhereOnlyTheFirstRecordsAreWanted) {
  const Format format = parsed("gensort");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 20'000)});
  job.options.memory_bytes = 2 * kMinMemoryBytes;
  job.options.top_records = 100;
  const std::string text = plan(job.options);
  EXPECT_NE(text.find("output        the first 100 records\n"), std::string::npos) << text;
  EXPECT_NE(text.find("runs          1: all fits in memory"), std::string::npos) << text;
}

TEST(DescribePlan, SaysWhatItNeedsOfFileSystems) {
  const Format format = parsed("gensort");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 20'000)});
  job.options.memory_bytes = 2 * kMinMemoryBytes;
  const std::string text = plan(job.options);
  EXPECT_NE(text.find("target        2.00 MB; "), std::string::npos) << text;
  EXPECT_EQ(text.find("error"), std::string::npos) << text;
}

TEST(DescribePlan, NamesTheProgramThatCompresses) {
  const Format format = parsed("gensort");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 20'000)});
  job.options.compress_program = "./own";
  const std::string text = plan(job.options);
  EXPECT_NE(text.find("; compressed by './own'\n"), std::string::npos) << text;
}

TEST(DescribePlan, ShowsWhatASortWillFailOf) {
  const Format format = parsed("gensort");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 20'000)});
  job.options.memory_bytes = 2 * kMinMemoryBytes;
  job.options.compression = Compression::kNone;
  const auto files = make_posix_file_system();
  FaultyFileSystem full(*files, FaultPlan{.free_bytes = 1000});
  const std::string text = describe_plan(full, job.options);
  EXPECT_NE(text.find("error         scratch space needs "), std::string::npos) << text;
  EXPECT_NE(text.find("error         the output needs 2.00 MB, and 1.00 kB are free in "), std::string::npos) << text;
}

TEST(DescribePlan, TouchesNothing) {
  const SortForTest job(parsed("lines"), {"b\na\n"});
  const auto names = job.directory.names();
  plan(job.options);
  EXPECT_EQ(job.directory.names(), names);
  EXPECT_EQ(read_whole_file(job.options.inputs[0]), "b\na\n");
}

TEST(DescribePlan, RefusesWhatASortWouldRefuse) {
  const SortForTest job(parsed("gensort"), {"too short"});
  EXPECT_THROW(plan(job.options), Error);
}

}  // namespace
}  // namespace sortie
