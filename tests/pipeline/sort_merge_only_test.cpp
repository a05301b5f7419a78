// Merges inputs that are already sorted.

#include <sortie/text_keys.hpp>

#include <deque>
#include <optional>
#include <sstream>
#include <thread>

#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

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
    for (const Distribution distribution : test::turns_of(kAllDistributions)) {
      SCOPED_TRACE(std::string(name) + ", " + to_string(distribution));
      const Format format = name[0] == 'f' && name[1] == 'i' ? parsed(name, {"u16be@0"}) : parsed(name);
      const std::string bytes =
          make_records(format, distribution, 500'000 / std::max<std::size_t>(10, format.record_bytes));
      MergeForTest job(format, sorted_ranges(format, bytes, 3));
      const SortReport report = job.run();
      EXPECT_TRUE(job.output() == stable_sorted(format, bytes));
      expect_consistent(report, job);
      EXPECT_EQ(report.scratch_peak_bytes, 0U) << "a merge flows from inputs to output";
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

TEST(MergeOnly, GivesNothingForEmptyInputs) {
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
  std::thread writer = job.pack_and_pipe();
  const SortReport report = job.run();
  writer.join();
  EXPECT_TRUE(job.output() == expected);
  EXPECT_EQ(report.scratch_peak_bytes, 0U);
}

/// Lines of which some are so long that memory holds those of few inputs at once.
std::vector<std::string> with_long_lines(std::size_t inputs, bool sorted) {
  std::vector<std::string> contents;
  for (std::size_t i = 0; i < inputs; ++i) {
    std::vector<std::string> lines;
    for (std::size_t line = 0; line < 40; ++line) {
      const std::size_t number = (line * 7 + i * 3) % 50;
      const bool is_long = line % 20 == i % 20;
      lines.push_back((number < 10 ? "0" : "") + std::to_string(number) + std::string(is_long ? 700'000 : 3, 'x') +
                      std::to_string(i % 3));
    }
    if (sorted) std::ranges::sort(lines);
    std::string& bytes = contents.emplace_back();
    for (const std::string& line : lines) bytes += line + "\n";
  }
  return contents;
}

TEST(MergeOnly, MergesLongRecordsInGroups) {
  const std::vector<std::string> contents = with_long_lines(13, true);
  for (const char* const key : test::turns_of({"", "1,1n"})) {
    for (const bool unique : test::turns_of({false, true})) {
      SCOPED_TRACE(std::string(key) + (unique ? ", unique" : ""));
      Format format = parsed("lines");
      if (key[0] != '\0') format.text.keys = {parse_text_key(key)};
      MergeForTest job(format, contents);
      job.options.memory_bytes = kMinMemoryBytes;
      job.options.unique = unique;
      const SortReport report = job.run();
      EXPECT_GT(report.merge_passes, 1U);
      SortForTest sorted(format, contents);
      sorted.options.unique = unique;
      sorted.run();
      EXPECT_TRUE(job.output() == sorted.output());
    }
  }
}

TEST(MergeOnly, HoldsTheLongRecordsOfSeveralInputsAtOnce) {
  std::vector<std::string> contents;
  for (std::size_t i = 0; i < 9; ++i) contents.push_back("a" + std::to_string(i) + std::string(700'000, 'x') + "\nb\n");
  MergeForTest job(parsed("lines"), contents);
  job.options.memory_bytes = kMinMemoryBytes;
  const SortReport report = job.run();
  EXPECT_EQ(report.merge_passes, 1U);
  EXPECT_EQ(report.scratch_peak_bytes, 0U);
  EXPECT_TRUE(job.output() == job.expected());
}

// GNU sort's merge of inputs as they are: the least of their first lines comes next.
std::string merged_as_they_stand(const std::vector<std::string>& contents, bool unique) {
  std::vector<std::deque<std::string>> left;
  for (const std::string& bytes : contents) {
    std::istringstream lines(bytes);
    left.emplace_back();
    for (std::string line; std::getline(lines, line);) left.back().push_back(line);
  }
  std::string merged;
  std::optional<std::string> last;
  while (true) {
    std::deque<std::string>* least = nullptr;
    for (auto& lines : left) {
      if (!lines.empty() && (least == nullptr || lines.front() < least->front())) least = &lines;
    }
    if (least == nullptr) return merged;
    if (!unique || last != least->front()) merged += least->front() + "\n";
    last = least->front();
    least->pop_front();
  }
}

TEST(MergeOnly, MergesInputsThatAreNotSortedAsTheyStand) {
  for (const std::size_t count : {1, 2, 3, 40}) {
    for (const bool unique : {false, true}) {
      std::vector<std::string> contents;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string bytes = make_records(parsed("lines"), Distribution::kFewValued, 120'000 / count, i + 1);
        contents.push_back(i % 3 == 1 ? stable_sorted(parsed("lines"), bytes) : bytes);
      }
      MergeForTest job(parsed("lines"), contents);
      job.options.unique = unique;
      std::size_t warnings = 0;
      job.options.warn = [&](const std::string&) { ++warnings; };
      const SortReport report = job.run();
      EXPECT_TRUE(job.output() == merged_as_they_stand(contents, unique)) << count << " inputs";
      EXPECT_EQ(warnings, count - (count + 1) / 3);
      expect_consistent(report, job);
    }
  }
}

TEST(MergeOnly, MergesLongRecordsOfUnsortedInputsAsTheyStand) {
  const std::vector<std::string> contents = with_long_lines(30, false);
  MergeForTest job(parsed("lines"), contents);
  job.options.memory_bytes = kMinMemoryBytes;
  EXPECT_GT(job.run().merge_passes, 1U);
  EXPECT_TRUE(job.output() == merged_as_they_stand(contents, false));
}

TEST(MergeOnly, TellsWhereAnInputIsNotSorted) {
  MergeForTest job(parsed("lines"), {"a\n", "b\na\n"});
  std::vector<std::string> warnings;
  job.options.warn = [&](const std::string& message) { warnings.push_back(message); };
  job.run();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("input1' is not sorted: record 2 at offset 2"), std::string::npos) << warnings[0];
}

TEST(MergeOnly, WaitsForRecordsThatAreLongerThanTheMemory) {
  const std::string bytes = std::string(700'000, 'a') + "\n" + std::string(900'000, 'b') + "\nc\n";
  MergeForTest job(parsed("lines"), {bytes, "a\nb\n" + std::string(800'000, 'b') + "\n"});
  job.run();
  EXPECT_TRUE(job.output() == job.expected());
}

TEST(MergeOnly, CountsAndKeepsTheLastOfWhatIsNotSorted) {
  MergeForTest job(parsed("lines"), {"b\nb\na\n", "a\nb\n"});
  job.options.count = true;
  job.run();
  EXPECT_EQ(job.output(), "      1 a\n      2 b\n      1 a\n      1 b\n");
}

}  // namespace
}  // namespace sortie
