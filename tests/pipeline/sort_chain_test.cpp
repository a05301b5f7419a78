// Sorts in a chain: what is kept of equal records in the order of the input, and samples. That the right records are
// kept of random inputs of all formats is tested by tests/cli/compare_order_of_input.
#include "pipeline/sort_chain.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "pipeline/checkpoint/checkpoint_support.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/keyed_lines.hpp"
#include "pipeline/record_stream_support.hpp"
#include "pipeline/sort_support.hpp"
#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kEnoughForAll = 64 << 20;

std::string first_of_each(const std::string& lines) {
  std::set<std::string_view> seen;
  std::string kept;
  for (const std::string_view line : records_of(layout_of(parsed("lines")), lines)) {
    if (seen.insert(line).second) kept += line;
  }
  return kept;
}

std::string numbered(int count, int distinct) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += std::to_string(i * 7919LL % distinct) + " some text\n";
  return lines;
}

void keep_order(SortOptions& options) {
  options.unique = true;
  options.output_order = OutputOrder::kInput;
}

TEST(SortInInputOrder, IsReportedAsOneSort) {
  const std::string lines = numbered(60'000, 20'000);
  for (const std::uint64_t memory_bytes : {2 * kMinMemoryBytes, kEnoughForAll}) {
    SortForTest job(parsed("lines"), {lines});
    keep_order(job.options);
    job.options.memory_bytes = memory_bytes;
    const SortReport report = job.run();
    const std::string expected = first_of_each(lines);
    EXPECT_TRUE(job.output() == expected);
    EXPECT_EQ(report.input_records, 60'000U);
    EXPECT_EQ(report.input_bytes, lines.size());
    EXPECT_EQ(report.output_records, 20'000U);
    EXPECT_EQ(report.output_bytes, expected.size());
    EXPECT_EQ(report.memory_budget_bytes, memory_bytes);
    EXPECT_TRUE(report.verified);
    EXPECT_EQ(report.checksum, totals_of(parsed("lines"), as_bytes(lines), true).checksum);
    EXPECT_EQ(report.phases.back().name, "restoring order");
    ASSERT_EQ(report.sorts.size(), 1U);
    EXPECT_EQ(report.sorts[0].name, "by place");
    EXPECT_EQ(report.sorts[0].phases.at(1).name, "forming runs");
    EXPECT_EQ(use_of("reading", report.resources).bytes, lines.size());
    EXPECT_EQ(use_of("output writing", report.resources).bytes, expected.size());
    if (memory_bytes == kEnoughForAll) {
      EXPECT_EQ(report.runs, 2U);
      EXPECT_EQ(report.scratch_peak_bytes, 0U);
    } else {
      EXPECT_GT(report.runs_spilled, 2U);
    }
  }
}

TEST(SortInInputOrder, LimitsTheOutputBehindItsHeader) {
  SortForTest job(parsed("lines"), {"z\nc\nb\nc\na\n"});
  keep_order(job.options);
  job.options.header_lines = 1;
  job.options.top_records = 2;
  const SortReport report = job.run();
  EXPECT_EQ(job.output(), "z\nc\nb\n");
  EXPECT_EQ(report.output_records, 2U);
  EXPECT_EQ(report.output_bytes, 4U);
}

TEST(SortInInputOrder, TakesRecordsFromTheProgramAndGivesThemBack) {
  const std::string lines = numbered(30'000, 8000);
  std::string output;
  SortOptions options;
  keep_order(options);
  options.source = source_of(lines, 1000);
  options.sink = sink_to(output);
  options.engine = EngineChoice::kCpu;
  options.memory_bytes = 2 * kMinMemoryBytes;
  sort(options);
  EXPECT_TRUE(output == first_of_each(lines));
}

TEST(SortInInputOrder, EndsWithTheErrorOfItsSink) {
  SortOptions options;
  keep_order(options);
  options.source = source_of(numbered(30'000, 8000), 1000);
  options.sink = [](std::span<const std::byte>) { throw Error("the sink is full"); };
  options.engine = EngineChoice::kCpu;
  EXPECT_EQ(error_of([&] { sort(options); }), "the sink is full");
}

TEST(SortInInputOrder, LeavesTheOutputAsItWasIfScratchSpaceIsLacking) {
  SortForTest job(parsed("lines"), {numbered(60'000, 60'000)});
  keep_order(job.options);
  job.options.scratch_directories = {job.directory / "nowhere"};
  write_whole_file(job.options.output, "as it was");
  const std::string message = error_of([&] { sort(job.options); });
  EXPECT_NE(message.find("nowhere"), std::string::npos) << message;
  EXPECT_EQ(job.output(), "as it was");
}

/// Nothing if the power was cut.
std::optional<SortReport> attempt_chain(CheckpointedSort& job, std::uint64_t cut_at = PowerCutFileSystem::kNever) {
  PowerCutFileSystem files(job.disk, cut_at);
  try {
    SortReport report = SortJob(files, job.options, {}, {.run_later = execute_later_sort}).run();
    job.operations = files.operations();
    return report;
  } catch (const Error&) {
    if (!files.is_cut()) throw;
    return std::nullopt;
  }
}

TEST(SortInInputOrder, ContinuesWithTheRunsOfTheFirstSort) {
  const std::string lines = numbered(40'000, 30'000);
  CheckpointedSort whole(parsed("lines"), {lines});
  keep_order(whole.options);
  ASSERT_TRUE(attempt_chain(whole));
  EXPECT_TRUE(whole.output() == first_of_each(lines));
  // The power is cut when the second sort gives its records back, shortly before the output is in its place.
  for (std::uint64_t cut_at = whole.operations;; cut_at -= 4) {
    CheckpointedSort job(parsed("lines"), {lines});
    keep_order(job.options);
    attempt_chain(job, cut_at);
    if (job.output()) continue;
    job.disk.cut_power(PowerCutDisk::Loss::kNone, job.random);
    const std::optional<SortReport> report = attempt_chain(job);
    ASSERT_TRUE(report);
    EXPECT_GT(report->runs_resumed, 10U);
    EXPECT_TRUE(job.output() == whole.output());
    return;
  }
}

struct SampleCase {
  std::string name;
  Format format;
  std::string text;
};

std::vector<SampleCase> sample_cases() {
  std::vector<SampleCase> all;
  for (const char* const word : {"lines", "gensort", "u32", "f64"}) {
    all.push_back({word, parsed(word), make_records(parsed(word), Distribution::kUniform, 20'000)});
  }
  all.push_back({"prefixed", parsed("prefixed"), random_prefixed(20'000, 1)});
  const LineOrder by_number = {{{1, true}}, false};
  all.push_back({"lines with keys", format_of(by_number), lines_with_fields(20'000)});
  return all;
}

TEST(SortSample, IsTheSameForASeedAndInTheOrderOfTheKeys) {
  for (const SampleCase& item : turns_of(sample_cases())) {
    for (const std::uint64_t count : {std::uint64_t{7}, std::uint64_t{9000}, std::uint64_t{1} << 40}) {
      SCOPED_TRACE(item.name + " " + std::to_string(count));
      std::string first;
      for (const std::uint64_t memory_bytes : {kEnoughForAll, 3 * kMinMemoryBytes}) {
        SortForTest job(item.format, {item.text});
        job.options.sample_records = count;
        job.options.sample_seed = seed_of_text("seed");
        job.options.memory_bytes = memory_bytes;
        job.options.threads = memory_bytes == kEnoughForAll ? 1 : 3;
        const SortReport report = job.run();
        const std::string output = job.output();
        EXPECT_EQ(report.input_records, 20'000U);
        EXPECT_EQ(report.output_records, std::min(count, std::uint64_t{20'000}));
        EXPECT_EQ(report.output_bytes, output.size());
        if (first.empty()) first = output;
        EXPECT_TRUE(output == first);
        SortForTest again(item.format, {output});
        again.options.memory_bytes = kEnoughForAll;
        again.run();
        EXPECT_TRUE(again.output() == output);
      }
    }
  }
}

TEST(SortSample, ComesInTheOrderOfTheInputIfThatIsAskedFor) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += std::to_string(i) + "\n";
  SortForTest job(parsed("lines"), {lines});
  job.options.sample_records = 1000;
  job.options.output_order = OutputOrder::kInput;
  job.run();
  const std::string output = job.output();
  std::vector<int> numbers;
  for (const std::string_view line : records_of(layout_of(parsed("lines")), output)) {
    numbers.push_back(std::stoi(std::string(line)));
  }
  EXPECT_EQ(std::set<int>(numbers.begin(), numbers.end()).size(), 1000U);
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
}

TEST(SortSample, IsDrawnBeforeDuplicatesAreDropped) {
  SortForTest job(parsed("lines"), {"name\n" + numbered(10'000, 2)});
  job.options.header_lines = 1;
  job.options.sample_records = 100;
  job.options.unique = true;
  EXPECT_EQ(job.run().output_records, 2U);
  EXPECT_EQ(job.output(), "name\n0 some text\n1 some text\n");
  job.options.output_order = OutputOrder::kInput;
  EXPECT_EQ(job.run().output_records, 2U);
}

// Pearson's test with 9 degrees of freedom: a fair draw exceeds 35 once in 17,000 series. The seeds are fixed, so the
// test always gives the same.
TEST(SortSample, DrawsEverySetEquallyOften) {
  std::map<std::string, int> sets;
  constexpr int kSeeds = 600;
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::string output;
    SortOptions options;
    options.source = source_of("a\nb\nc\nd\ne\n", 10);
    options.sink = sink_to(output);
    options.engine = EngineChoice::kCpu;
    options.memory_bytes = 3 * kMinMemoryBytes;
    options.threads = 1;
    options.sample_records = 2;
    options.sample_seed = seed_of_text(std::to_string(seed));
    options.output_order = OutputOrder::kInput;
    sort(options);
    ++sets[output];
  }
  EXPECT_EQ(sets.size(), 10U);
  double chi_square = 0;
  for (const auto& [set, count] : sets) chi_square += std::pow(count - kSeeds / 10.0, 2) / (kSeeds / 10.0);
  EXPECT_LT(chi_square, 35);
}

TEST(SortChain, IsRefusedWhereItMakesNoSense) {
  const auto refuses = [](const auto& change, const std::string& part) {
    SortOptions options;
    options.inputs = {"/dev/null"};
    change(options);
    const std::string message = error_of([&] { sort(options); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refuses([](SortOptions& options) { options.output_order = OutputOrder::kInput; }, "order=input needs unique");
  refuses([](SortOptions& options) { options.output_order = static_cast<OutputOrder>(7); }, "order of the output");
  refuses(
      [](SortOptions& options) {
        options.sample_records = 1;
        options.merge_only = true;
      },
      "merge and sample are incompatible");
  refuses(
      [](SortOptions& options) {
        options.sample_records = 1;
        options.inputs = {"/dev/null", "/dev/zero"};
        options.set_operation = SetOperation::kUnion;
      },
      "not of sets");
  refuses(
      [](SortOptions& options) {
        options.sample_records = 1;
        options.checkpoint_directory = "/nowhere";
      },
      "checkpoint and sample are incompatible");
  refuses(
      [](SortOptions& options) {
        options.sample_records = 1;
        options.output_order = OutputOrder::kInput;
        options.format.shuffle = true;
      },
      "shuffle and order=input are incompatible");
}

}  // namespace
}  // namespace sortie
