// Sorts of lines that are nearly in order, which pass without runs, mapped or copied, and of those that only seem so.
#include "pipeline/input/order_sample.hpp"
#include "pipeline/keyed_lines.hpp"
#include "pipeline/runs/ordered_delivery.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kMemoryToMap = 512 << 20;

/// Lines in order, every 16 of which are shuffled.
std::string nearly_sorted_lines(const LineOrder& order, std::size_t count) {
  const std::string sorted = sorted_lines({order.keys, order.last_resort}, lines_with_fields(count));
  std::vector<std::string_view> lines = records_of(Layout{}, sorted);
  std::mt19937_64 random(11);
  for (std::size_t at = 0; at + 16 <= lines.size(); at += 16) {
    std::shuffle(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.begin() + static_cast<std::ptrdiff_t>(at + 16),
                 random);
  }
  return joined(lines);
}

class SortOrderedLines : public testing::TestWithParam<std::uint64_t> {
 protected:
  SortReport run(SortForTest& job) {
    job.options.memory_bytes = GetParam();
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    SortJob sort(*files, job.options, {}, {.lets_ordered_lines_pass = true, .least_mapped_bytes = 1});
    return sort.run();
  }

  void expect_passed(SortForTest& job) {
    const SortReport report = run(job);
    EXPECT_EQ(report.runs_spilled, 0U);
    EXPECT_EQ(report.scratch_peak_bytes, 0U);
    for (const StageReport& stage : report.stages) EXPECT_NE(stage.name, "gather");
    expect_consistent(report, job);
  }
};

TEST_P(SortOrderedLines, PassInEveryOrder) {
  for (const LineOrder& order : turns_of(kOrdersOfEveryKind)) {
    SCOPED_TRACE("field " + std::to_string(order.keys[0].field) + (order.unique ? ", unique" : ""));
    SortForTest job(format_of(order), {nearly_sorted_lines(order, 100'000)});
    job.options.unique = order.unique;
    expect_passed(job);
    EXPECT_TRUE(job.output() == sorted_lines(order, job.input()));
  }
}

TEST_P(SortOrderedLines, PassInReverse) {
  std::string lines;
  for (int i = 60'000; i > 0; --i) lines += "word " + std::to_string(i / 8 * 8 + i * 7 % 8) + " x\n";
  const LineOrder order{{{1, true}}, false};
  SortForTest job(format_of(order), {lines});
  job.options.format.descending = true;
  expect_passed(job);
  EXPECT_TRUE(job.output() == sorted_lines({{{1, true, true}}, false}, lines));
}

TEST_P(SortOrderedLines, PassBehindAHeader) {
  const LineOrder order = kOrdersOfEveryKind[1];
  const std::string lines = nearly_sorted_lines(order, 50'000);
  SortForTest job(format_of(order), {"zz 0 header\n" + lines});
  job.options.header_lines = 1;
  run(job);
  EXPECT_TRUE(job.output() == "zz 0 header\n" + sorted_lines(order, lines));
}

TEST_P(SortOrderedLines, PassWithALongLineAmongThem) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += std::to_string(1'000'000 + i) + " x\n";
  lines.insert(lines.find("1010000 "), "1010000 " + std::string(100'000, 'a') + "\n");
  const LineOrder order{{{0}}};
  SortForTest job(format_of(order), {lines});
  run(job);
  EXPECT_TRUE(job.output() == sorted_lines(order, lines));
}

TEST_P(SortOrderedLines, AreReportedOnceALineIsFarFromItsPlace) {
  const LineOrder order = kOrdersOfEveryKind[1];
  std::string lines = sorted_lines(order, lines_with_fields(100'000));
  lines.insert(lines.rfind('\n', lines.size() - 3 * kSampledBytes) + 1, "a 0 first\n");
  SortForTest job(format_of(order), {lines});
  EXPECT_THROW(run(job), NeedsRuns);
  EXPECT_FALSE(std::filesystem::exists(job.options.output));
  job.expect_no_scratch_files();
}

TEST_P(SortOrderedLines, AreNotTriedIfALastLineIsFarFromItsPlace) {
  const LineOrder order = kOrdersOfEveryKind[1];
  for (const char* const last : {"a 0 first\n", "a 0 first"}) {
    SortForTest job(format_of(order), {sorted_lines(order, lines_with_fields(100'000)) + last});
    expect_consistent(run(job), job);
    EXPECT_TRUE(job.output() == sorted_lines(order, job.input()));
  }
}

TEST_P(SortOrderedLines, AreSortedAnewIfTheyOnlySeemedToBe) {
  const LineOrder order{{{1, true}, {0}}};
  std::string lines;
  std::size_t count = 0;
  const auto add_lines = [&](std::size_t wanted_bytes) {
    for (; lines.size() < wanted_bytes; ++count) {
      lines +=
          "word" + std::to_string(count * 7919 % 1009) + " " + std::to_string(count / 9) + " some text that follows\n";
    }
  };
  add_lines(kLeastMappedBytes);
  lines += "word 0 out of order\n";
  add_lines(lines.size() + 3 * kSampledBytes);
  SortForTest job(format_of(order), {lines});
  job.options.memory_bytes = GetParam();
  std::vector<std::string> warnings;
  job.options.warn = [&](const std::string& warning) { warnings.push_back(warning); };
  const SortReport report = job.run();
  EXPECT_EQ(report.input_records, count + 1);
  EXPECT_TRUE(job.output() == sorted_lines(order, lines));
  EXPECT_EQ(std::set<std::string>(warnings.begin(), warnings.end()).size(), warnings.size());
}

INSTANTIATE_TEST_SUITE_P(Mapped, SortOrderedLines, testing::Values(kMemoryToMap));
INSTANTIATE_TEST_SUITE_P(Copied, SortOrderedLines, testing::Values(2 * kMinMemoryBytes));

}  // namespace
}  // namespace sortie
