// Makes file operations of a sort fail, one after another. The outcome is the right output, or an Error with the
// target as it was; never a hang, a partial output or a file left behind.
#include "pipeline/fault_loop.hpp"
#include "pipeline/keyed_lines.hpp"
#include "record/csv/csv_order.hpp"

namespace sortie {
namespace {

using namespace test;

void survive_faults(const FaultedJob& job) { FaultLoop(job).survive_all(); }

std::string numbers(std::size_t count) { return make_records(parsed("i64"), Distribution::kUniform, count); }
std::string lines(std::size_t count) { return make_records(parsed("lines"), Distribution::kZipf, count); }
const Format kByNumber = format_of({{{0, true}, {1}}});

TEST(SortFaults, InMemory) { survive_faults({.contents = {"b\na\n", "c"}}); }

TEST(SortFaults, Spilled) {
  const Format format = parsed("gensort");
  survive_faults({.format = format,
                  .contents = {make_records(format, Distribution::kUniform, 1500),
                               make_records(format, Distribution::kZipf, 1500)},
                  .set_up = [](SortForTest& job) { EXPECT_GT(job.run().runs_spilled, 1U); }});
}

TEST(SortFaults, SpilledLinesWithLongCommonPrefixes) { survive_faults({.contents = {lines_with_prefix(1200, 300)}}); }

TEST(SortFaults, InSeveralPassesWithCompressedRuns) {
  survive_faults({.format = parsed("i64"), .contents = {numbers(80'000)}, .set_up = [](SortForTest& job) {
                    job.options.compression = Compression::kZstd;
                    job.options.merge_fan_in = 4;
                    EXPECT_GE(job.run().merge_passes, 2U);
                  }});
}

TEST(SortFaults, WithRunsKeptInMemory) {
  survive_faults({.format = parsed("i64"), .contents = {numbers(40'000)}, .set_up = [](SortForTest& job) {
                    job.options.memory_bytes = 600 << 10;
                    const SortReport report = job.run();
                    EXPECT_GT(report.runs, 1U);
                    EXPECT_LT(report.runs_spilled, report.runs);
                  }});
}

TEST(SortFaults, WhileSortedInputsAreMerged) {
  auto inputs = sorted_ranges(parsed("lines"), lines(20'000), 6);
  inputs[2].pop_back();  // without its last newline it cannot be merged in place
  survive_faults({.contents = inputs, .set_up = [](SortForTest& job) { job.options.merge_only = true; }});
}

TEST(SortFaults, FromCompressedInputToCompressedOutput) {
  for (const char* suffix : {".gz", ".zst", ".bz2"}) {
    survive_faults({.contents = {lines(6000), lines(6000)}, .set_up = [&](SortForTest& job) {
                      job.options.output = job.directory / (std::string("packed") + suffix);
                      job.run();
                      job.options.inputs[0] =
                          std::exchange(job.options.output, job.directory / ("output" + std::string(suffix)));
                    }});
  }
}

TEST(SortFaults, ByKeys) { survive_faults({.format = kByNumber, .contents = {lines(8000)}}); }

TEST(SortFaults, InALocale) {
  Format format = parsed("lines");
  format.text.locale = true;
  survive_faults({.format = format, .contents = {lines(8000)}});
}

TEST(SortFaults, OfCsv) { survive_faults({.format = csv_format({{1, true}}), .contents = {well_formed_csv(6000, 1)}}); }

TEST(SortFaults, BehindAHeader) {
  survive_faults({.contents = {"name\n" + lines(8000), "name\n" + lines(100)},
                  .set_up = [](SortForTest& job) { job.options.header_lines = 1; }});
}

TEST(SortFaults, OfTheFirstRecords) {
  survive_faults({.contents = {lines(20'000)}, .set_up = [](SortForTest& job) { job.options.top_records = 1000; }});
}

TEST(SortFaults, Counted) {
  survive_faults({.contents = {lines(20'000)}, .set_up = [](SortForTest& job) { job.options.count = true; }});
}

TEST(SortFaults, WithoutRepetitions) {
  survive_faults({.contents = {lines(20'000)}, .set_up = [](SortForTest& job) { job.options.unique = true; }});
}

TEST(SortFaults, ToAPipe) {
  survive_faults({.contents = {lines(100), lines(8000)}, .task = FaultedJob::Task::kSortToPipe});
}

TEST(SortFaults, WhileChecking) {
  survive_faults({.contents = {stable_sorted(parsed("lines"), lines(30'000))}, .task = FaultedJob::Task::kCheck});
}

TEST(SortFaults, OntoItsInput) {
  // The target is also the input, so it must be there for the next attempt.
  survive_faults({.contents = {lines(3000), lines(100)},
                  .set_up = [](SortForTest& job) { job.options.output = job.options.inputs[0]; }});
}

TEST(SortFaults, WhereFilesNeedNamesAndSpaceCannotBeReserved) {
  FaultPlan lacking;
  lacking.needs_names = true;
  lacking.cannot_reserve = true;
  survive_faults({.contents = {lines(8000)}, .file_system = lacking});
}

TEST(SortFaults, OfInputAndOutputThatAreMapped) {
  survive_faults({.format = parsed("u64"),
                  .contents = {make_records(parsed("u64"), Distribution::kUniform, 1 << 20)},
                  .set_up = [](SortForTest& job) { job.options.memory_bytes = 64 << 20; },
                  .least_mapped_bytes = 1,
                  .threads = 4});
}

TEST(SortFaults, OfMappedLinesByKeys) {
  survive_faults({.format = kByNumber,
                  .contents = {lines(30'000)},
                  .set_up = [](SortForTest& job) { job.options.memory_bytes = 4 << 20; },
                  .least_mapped_bytes = 1});
}

}  // namespace
}  // namespace sortie
