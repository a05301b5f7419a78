// Lines that are hard on an external sort: long lines, lines with equal beginnings, empty lines.
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

SortReport expect_sorted(SortForTest& job) {
  const SortReport report = job.run();
  EXPECT_TRUE(job.output() == job.expected());
  expect_consistent(report, job);
  return report;
}

SortReport expect_lines_sorted(const std::string& bytes, std::uint64_t memory_bytes = kMinMemoryBytes) {
  SortReport report;
  for (const bool descending : {false, true}) {
    SortForTest job(parsed("lines", {}, descending), {bytes});
    job.options.memory_bytes = memory_bytes;
    report = expect_sorted(job);
  }
  return report;
}

TEST(SortLines, WithoutAFinalNewlineGetOne) {
  SortForTest job(parsed("lines"), {"c\na\nb"});
  expect_sorted(job);
  EXPECT_EQ(job.output(), "a\nb\nc\n");
}

TEST(SortLines, TakesExtremeBytes) {
  EXPECT_GT(expect_lines_sorted(lines_of_extreme_bytes(100'000)).runs_spilled, 2U);
  Format zero = parsed("lines");
  zero.delimiter = '\0';
  SortForTest job(zero, {lines_of_extreme_bytes(100'000, '\0')});
  EXPECT_GT(expect_sorted(job).runs_spilled, 2U);
}

TEST(SortLines, TakesEmptyLines) { EXPECT_GT(expect_lines_sorted(std::string(300'000, '\n')).runs, 2U); }

TEST(SortLines, LongerThanABlock) {
  std::mt19937_64 random(6);
  std::string bytes;
  for (int i = 0; i < 200; ++i) bytes += std::string(random() % 12'000, static_cast<char>('a' + random() % 2)) + "\n";
  EXPECT_GT(expect_lines_sorted(bytes).runs_spilled, 2U);
}

TEST(SortLines, AFewLongOnesAmongManyShortOnes) {
  std::string bytes = make_records(parsed("lines"), Distribution::kUniform, 60'000);
  for (const char letter : {'b', 'a', 'c'}) bytes += std::string(30'000, letter) + "\n";
  bytes += make_records(parsed("lines"), Distribution::kUniform, 20'000, 2);
  EXPECT_GT(expect_lines_sorted(bytes).runs_spilled, 2U);
}

TEST(SortLines, LongerThanAPiece) {
  // A first piece of 1 MiB takes half of what is free for a run, a fifth of it.
  std::string bytes = make_records(parsed("lines"), Distribution::kUniform, 100'000);
  for (const char letter : {'b', 'a', 'c'}) bytes += std::string(190'000, letter) + "\n" + bytes.substr(0, 100'000);
  EXPECT_GT(expect_lines_sorted(bytes, 1 << 20).runs, 2U);
}

TEST(SortLines, LongerThanTheMemory) {
  std::string bytes = make_records(parsed("lines"), Distribution::kUniform, 60'000);
  bytes += std::string(3'000'000, 'x') + "\n" + make_records(parsed("lines"), Distribution::kUniform, 20'000, 2);
  bytes += std::string(4'000'000, 'b') + "\n" + std::string(300'000, 'x');
  const SortReport report = expect_lines_sorted(bytes);
  EXPECT_GT(report.runs_spilled, 2U);
  EXPECT_EQ(report.memory_budget_bytes, kMinMemoryBytes);
}

TEST(SortLines, EachLongerThanTheMemoryForARun) {
  std::string bytes;
  for (int i = 0; i < 30; ++i)
    bytes += std::string(300'000 + 100 * (i * 7 % 30), static_cast<char>('a' + i % 5)) + "\n";
  for (const Compression compression : test::turns_of({Compression::kNone, Compression::kZstd})) {
    SortForTest job(parsed("lines"), {bytes});
    job.options.compression = compression;
    const SortReport report = job.run();
    EXPECT_GT(report.runs_spilled, 10U);
    EXPECT_EQ(job.output(), job.expected());
  }
}

TEST(SortRecords, TakesRecordsLongerThanTheMemory) {
  const Format format = parsed("fixed:1000000");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 8)});
  EXPECT_GT(job.run().runs, 4U);
  EXPECT_EQ(job.output(), job.expected());
}

TEST(SortLines, ThatDifferBeyondTheKeysOfTheIndex) {
  EXPECT_GT(expect_lines_sorted(lines_with_prefix(2000, 300)).runs_spilled, 2U);
}

TEST(SortLines, ThatAreAllEqualAndLong) {
  std::string bytes;
  for (int i = 0; i < 1500; ++i) bytes += std::string(400, 'e') + "\n";
  EXPECT_GT(expect_lines_sorted(bytes).runs_spilled, 2U);
}

TEST(SortLines, ThatBeginOneAnother) {
  EXPECT_GT(expect_lines_sorted(lines_of_one_letter(4000, 400)).runs_spilled, 2U);
}

TEST(SortLines, MergeFewerRunsAtOnceWhenRecordsAreLong) {
  // Blocks of one record of 200 kB leave room for two runs in an arena of 1 MiB, not for ten.
  const Format format = parsed("fixed:200000", {"u32@0"});
  SortForTest job(format, {make_records(format, Distribution::kUniform, 40)});
  job.options.memory_bytes = 1 << 20;
  const SortReport report = expect_sorted(job);
  EXPECT_GT(report.runs, 4U);
  EXPECT_GE(report.merge_passes, 2U);
}

}  // namespace
}  // namespace sortie
