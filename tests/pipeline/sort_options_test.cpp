// Effects of a sort's options on its output and report.
#include <map>

#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

std::string uniform_lines(std::size_t count, std::uint64_t seed = 1) {
  return make_records(parsed("lines"), Distribution::kUniform, count, seed);
}

TEST(Sort, GivesNothingForEmptyInputs) {
  for (const std::vector<std::string>& contents : {std::vector<std::string>{""}, {"", ""}}) {
    SortForTest job(parsed("lines"), contents);
    const SortReport report = job.run();
    EXPECT_EQ(job.output(), "");
    expect_consistent(report, job);
    EXPECT_EQ(report.runs, 0U);
    EXPECT_EQ(report.merge_passes, 0U);
  }
}

TEST(Sort, MergesNothingIfOneRunHoldsAll) {
  SortForTest job(parsed("lines"), {uniform_lines(1000)});
  const SortReport report = job.run();
  EXPECT_TRUE(job.output() == job.expected());
  expect_consistent(report, job);
  EXPECT_EQ(report.runs, 1U);
  EXPECT_EQ(report.windows, 0U);
  EXPECT_EQ(report.run_bytes, 0U);
}

TEST(Sort, KeepsRunsInMemoryThatFitIt) {
  SortForTest job(parsed("gensort"), {make_records(parsed("gensort"), Distribution::kUniform, 2000)});
  job.options.compression = Compression::kNone;
  const SortReport report = job.run();
  EXPECT_TRUE(job.output() == job.expected());
  EXPECT_GT(report.runs, 1U);
  EXPECT_LT(report.runs_spilled, report.runs);
  EXPECT_EQ(report.run_bytes, 200'000U);
  EXPECT_GE(report.stored_bytes, report.run_bytes);
}

TEST(Sort, TakesSeveralInputsInTheirOrder) {
  // Equal keys keep the order of the inputs.
  const Format format = parsed("fixed:20", {"u8@0"});
  SortForTest job(format, {make_records(format, Distribution::kFewValued, 20'000, 1), "",
                           make_records(format, Distribution::kFewValued, 100, 2),
                           make_records(format, Distribution::kFewValued, 20'000, 3)});
  expect_consistent(job.run(), job);
  EXPECT_TRUE(job.output() == job.expected());
}

TEST(Sort, TakesAnInputTwice) {
  SortForTest job(parsed("lines"), {"b\na\n", "c"});
  job.options.inputs = {job.options.inputs[0], job.options.inputs[1], job.options.inputs[0]};
  EXPECT_EQ(job.run().input_records, 5U);
  EXPECT_EQ(job.output(), "a\na\nb\nb\nc\n");
}

TEST(Sort, ReplacesItsInput) {
  for (const std::size_t lines : {100, 100'000}) {
    SortForTest job(parsed("lines"), {uniform_lines(lines), uniform_lines(50, 2)});
    job.options.output = job.options.inputs[1];
    const std::string expected = job.expected();
    job.run();
    EXPECT_TRUE(job.output() == expected);
  }
}

TEST(Sort, KeepsOnlyTheFirstOfEqualKeysIfAskedTo) {
  for (const Distribution distribution : turns_of(kAllDistributions)) {
    for (const char* name : {"lines", "fixed:20", "i32"}) {
      SCOPED_TRACE(std::string(name) + ", " + to_string(distribution));
      const Format format = name[0] == 'f' ? parsed(name, {"i16be@3:desc"}) : parsed(name);
      SortForTest job(format,
                      {make_records(format, distribution, 40'000), make_records(format, distribution, 40'000, 2)});
      job.options.unique = true;
      const SortReport report = job.run();
      EXPECT_TRUE(job.output() == job.expected());
      expect_consistent(report, job);
      EXPECT_GT(report.runs, 2U);
    }
  }
}

TEST(Sort, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Format format = parsed("fixed:24", {"u16@0", "f32@2:desc"});
  SortForTest job(format, {make_records(format, Distribution::kZipf, 40'000)});
  for (const unsigned threads : {1U, 2U, 7U}) {
    job.options.threads = threads;
    const SortReport report = job.run();
    EXPECT_TRUE(job.output() == job.expected()) << threads << " threads";
    expect_consistent(report, job);
  }
}

TEST(Sort, GivesTheSameBytesWithAnyMemory) {
  const Format format = parsed("lines");
  SortForTest job(format, {uniform_lines(150'000)});
  const std::string expected = job.expected();
  std::uint64_t fewest_runs = 1000;
  for (const std::uint64_t memory : {256 << 10, 300'000, 512 << 10, 1 << 20, 4 << 20, 64 << 20}) {
    job.options.memory_bytes = memory;
    const SortReport report = job.run();
    EXPECT_TRUE(job.output() == expected) << memory;
    EXPECT_LE(report.runs, fewest_runs);
    fewest_runs = report.runs;
  }
  EXPECT_EQ(fewest_runs, 1U);
}

TEST(Sort, CompressesRunsIfAskedTo) {
  for (const char* name : {"lines", "gensort", "u64", "f32"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    const std::string bytes =
        make_records(format, Distribution::kZipf, 800'000 / std::max<std::size_t>(10, format.record_bytes));
    SortForTest job(format, {bytes});
    job.options.compression = Compression::kNone;
    const SortReport raw = job.run();
    job.options.compression = Compression::kZstd;
    job.options.compression_level = 3;
    const SortReport compressed = job.run();
    EXPECT_TRUE(job.output() == job.expected());
    expect_consistent(compressed, job);
    EXPECT_GT(compressed.runs_spilled, 0U);
    EXPECT_LT(compressed.stored_bytes, raw.stored_bytes);
    EXPECT_LT(compressed.scratch_peak_bytes, raw.scratch_peak_bytes);
  }
}

TEST(Sort, TakesCompressedInputs) {
  SortForTest job(parsed("lines"), {uniform_lines(60'000)});
  const std::string expected = job.expected();
  const std::string plain = job.options.inputs[0];
  for (const char* suffix : {".gz", ".zst", ".bz2"}) {
    job.options.inputs = {plain};
    job.options.output = job.directory / (std::string("packed") + suffix);
    job.run();
    EXPECT_LT(job.output().size(), expected.size());
    job.options.inputs = {job.options.output};
    job.options.output = job.directory / "output";
    job.run();
    EXPECT_TRUE(job.output() == expected) << suffix;
  }
}

TEST(Sort, ReportsNoChecksumIfItIsNotToVerify) {
  SortForTest job(parsed("lines"), {uniform_lines(60'000)});
  job.options.verify = false;
  const SortReport report = job.run();
  EXPECT_TRUE(job.output() == job.expected());
  expect_consistent(report, job);
}

TEST(Sort, SpreadsRunsOverItsScratchDirectories) {
  SortForTest job(parsed("lines"), {uniform_lines(60'000)});
  const TemporaryDirectory other;
  job.options.scratch_directories.push_back(other.path());
  job.run();
  EXPECT_TRUE(job.output() == job.expected());
  EXPECT_TRUE(other.names().empty());
}

TEST(Sort, ReportsItsStages) {
  SortForTest job(parsed("lines"), {uniform_lines(60'000)});
  const SortReport report = job.run();
  std::map<std::string, std::uint64_t> bytes;
  for (const StageReport& stage : report.stages) bytes[stage.name] = stage.bytes;
  EXPECT_EQ(bytes["read"], job.input().size());
  EXPECT_EQ(bytes["checksum input"], job.input().size());
  EXPECT_EQ(bytes["write"], job.input().size());
  EXPECT_EQ(bytes["check output"], job.input().size());
  EXPECT_GE(bytes["merge"], job.input().size() * report.merge_passes / 2);
  EXPECT_EQ(bytes["keep run"] + bytes["compress run"], bytes["load window"]);
}

}  // namespace
}  // namespace sortie
