// Whole sorts of bytes through files, with budgets so small that everything spills.
#pragma once

#include <sys/stat.h>

#include <sortie/sort.hpp>

#include <thread>

#include "pipeline/pipeline_support.hpp"
#include "record/record_totals.hpp"

namespace sortie::test {

/// Inputs, output and scratch space of a sort in a directory of their own.
class SortForTest {
 public:
  SortForTest(const Format& format, const std::vector<std::string>& contents) : contents_(contents) {
    options.format = format;
    options.inputs = write_inputs(directory, contents);
    options.output = directory / "output";
    options.memory_bytes = kMinMemoryBytes;
    options.engine = EngineChoice::kCpu;
    std::filesystem::create_directory(scratch);
    options.scratch_directories = {scratch};
  }

  /// Sorts, and checks that nothing is left behind but the output.
  SortReport run() {
    std::set<std::string> names = directory.names();
    const SortReport report = sort(options);
    names.insert(std::filesystem::path(options.output).filename().string());
    EXPECT_EQ(directory.names(), names);
    expect_no_scratch_files();
    return report;
  }

  /// Of three inputs packs the second one, and gives the third one by a pipe, which the thread fills.
  std::thread pack_and_pipe() {
    SortOptions pack = options;
    pack.inputs = {options.inputs[1]};
    pack.output = directory / "packed.gz";
    sort(pack);
    const std::string pipe = directory / "pipe";
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    options.inputs = {options.inputs[0], pack.output, pipe};
    return std::thread([pipe, bytes = contents_[2]] { write_whole_file(pipe, bytes); });
  }

  std::string output() const { return read_whole_file(options.output); }
  std::string expected() const { return stable_sorted(options.format, input(), options.unique); }
  std::string input() const { return completed(options.format, contents_); }
  void expect_no_scratch_files() const { EXPECT_TRUE(std::filesystem::is_empty(scratch)); }

  TemporaryDirectory directory;
  SortOptions options;

 private:
  std::vector<std::string> contents_;

 public:
  const std::string scratch = directory / "scratch";
};

/// Two megabytes of records, with memory for a quarter of them.
struct LargeSort : SortForTest {
  LargeSort() : SortForTest(parsed("gensort"), {make_records(parsed("gensort"), Distribution::kUniform, 20'000)}) {
    options.memory_bytes = 2 * kMinMemoryBytes;
  }
};

/// Checks that the figures agree with one another and with the sorted input.
inline void expect_consistent(const SortReport& report, const SortForTest& job) {
  const RecordTotals input = totals_of(job.options.format, as_bytes(job.input()), true);
  EXPECT_EQ(report.engine, "cpu");
  EXPECT_EQ(report.input_records, input.records);
  EXPECT_EQ(report.input_bytes, input.bytes);
  const RecordTotals output = totals_of(job.options.format, as_bytes(job.output()), false);
  EXPECT_EQ(report.output_records, output.records);
  EXPECT_EQ(report.output_bytes, output.bytes);
  EXPECT_EQ(report.verified, job.options.verify);
  EXPECT_EQ(report.checksum, job.options.verify ? input.checksum : Checksum{});
  EXPECT_EQ(report.memory_budget_bytes, job.options.memory_bytes);
  EXPECT_EQ(report.device_budget_bytes, 0U);
  EXPECT_LE(report.runs_spilled, report.runs);
  EXPECT_GE(report.windows, report.merge_passes);
  // Runs made of runs may be spilled even if none of the first runs was.
  EXPECT_TRUE(report.scratch_peak_bytes > 0 || report.runs_spilled == 0);
  EXPECT_TRUE(report.scratch_peak_bytes == 0 || report.runs_spilled > 0 || report.merge_passes > 1);
  EXPECT_GE(report.elapsed_seconds, report.formation_seconds);
}

}  // namespace sortie::test
