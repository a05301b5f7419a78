// Sorts of encoded lines that refer to the input, which is mapped although it is small. An oracle that compares
// fields checks them, with every way of ordering lines with equal keys.
#include <algorithm>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

class SortReferences : public testing::Test {
 protected:
  // Skips the test if files cannot be mapped.
  void run(SortForTest& job) {
    job.options.memory_bytes = 512 << 20;
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    SortJob sort(*files, job.options, {}, {.least_mapped_bytes = 1});
    const SortReport report = sort.run();
    std::map<std::string, std::uint64_t> bytes;
    for (const StageReport& stage : report.stages) bytes[stage.name] += stage.bytes;
    job.expect_no_scratch_files();
    if (job.input().empty()) return;
    if (bytes.contains("cut keys off")) GTEST_SKIP() << "files here cannot be mapped";
    expect_consistent(report, job);
    EXPECT_EQ(bytes["make keys"], job.input().size());
  }

  void expect_sorted(const LineOrder& order, const std::string& contents) {
    SortForTest job(format_of(order), {contents});
    job.options.unique = order.unique;
    run(job);
    EXPECT_TRUE(job.output() == sorted_lines(order, job.input()));
  }

  void expect_sorted_in_all_orders(const std::string& contents) {
    for (const LineOrder& order : turns_of(kOrdersOfEveryKind)) expect_sorted(order, contents);
  }
};

std::string lines_of_one_key(std::size_t count) {
  std::mt19937_64 random(7);
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) lines += "key 1 " + std::to_string(random() % 1000) + "\n";
  return lines;
}

TEST_F(SortReferences, GivesAllLinesInOrder) { expect_sorted_in_all_orders(lines_with_fields(30'000)); }

TEST_F(SortReferences, SortAFileWithoutALastNewline) {
  expect_sorted_in_all_orders(lines_with_fields(2000) + "w3 4 x");
}

TEST_F(SortReferences, SortExtremeBytes) { expect_sorted_in_all_orders(lines_of_extreme_bytes(20'000)); }

TEST_F(SortReferences, SortEmptyLines) { expect_sorted_in_all_orders(std::string(30'000, '\n')); }

TEST_F(SortReferences, SortOneLine) {
  expect_sorted_in_all_orders("\n");
  expect_sorted_in_all_orders("a");
  expect_sorted_in_all_orders("");
}

TEST_F(SortReferences, SortLinesThatEndInNul) {
  for (LineOrder order : test::turns_of(kOrdersOfEveryKind)) {
    order.delimiter = '\0';
    expect_sorted(order, lines_with_fields(20'000, 3, '\0'));
  }
}

TEST_F(SortReferences, SortAGroupThatGoesThroughManyParts) {
  expect_sorted_in_all_orders(lines_with_fields(3000) + lines_of_one_key(80'000) + lines_with_fields(3000, 2));
}

// Groups about as large as the stretch of lines that is prefetched, all in one range of references.
TEST_F(SortReferences, SortGroupsOfAllSizes) {
  std::mt19937_64 random(5);
  std::vector<std::string> lines;
  for (const std::size_t size : {1, 2, 3, 12, 13, 62, 63, 64, 65, 66, 128, 129, 300}) {
    for (std::size_t i = 0; i < size; ++i) {
      lines.push_back("w" + std::to_string(size) + " 1 " + std::to_string(random() % 1000) + "\n");
    }
  }
  std::shuffle(lines.begin(), lines.end(), random);
  std::string contents;
  for (const std::string& line : lines) contents += line;
  expect_sorted_in_all_orders(contents);
}

TEST_F(SortReferences, SortLinesThatAreInOrder) {
  for (const LineOrder& order : test::turns_of(kOrdersOfEveryKind)) {
    expect_sorted(order, sorted_lines(order, lines_with_fields(10'000)));
  }
}

// Several batches of each thread, every 16 lines of which are shuffled; then with a line that is far from its position.
TEST_F(SortReferences, SortLinesThatAreNearlyInOrder) {
  for (const LineOrder& order : test::turns_of(kOrdersOfEveryKind)) {
    const std::string sorted = sorted_lines({order.keys, order.last_resort}, lines_with_fields(200'000));
    std::vector<std::string_view> lines = records_of(Layout{}, sorted);
    std::mt19937_64 random(11);
    for (std::size_t at = 0; at + 16 <= lines.size(); at += 16) {
      std::shuffle(lines.begin() + static_cast<std::ptrdiff_t>(at),
                   lines.begin() + static_cast<std::ptrdiff_t>(at + 16), random);
    }
    expect_sorted(order, joined(lines));
    std::swap(lines[100], lines[150'000]);
    expect_sorted(order, joined(lines));
  }
}

// Stretches that are in order one by one, each of many batches.
TEST_F(SortReferences, SortAFewLongStretches) {
  for (const LineOrder& order : test::turns_of(kOrdersOfEveryKind)) {
    std::string lines;
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
      lines += sorted_lines({order.keys, order.last_resort}, lines_with_fields(30'000, seed));
    }
    expect_sorted(order, lines);
  }
}

TEST_F(SortReferences, SortKeysThatBeginAlikeButForSome) {
  std::string lines;
  for (int i = 0; i < 30'000; ++i) lines += "common begin" + std::to_string(i * 7919 % 30'011) + " 1 x\n";
  for (const char* other : {"common 2 y\n", "d 3 z\n", "a 4 z\n", "common begin 0\n"}) {
    lines.insert(lines.find('\n', lines.size() / 3 * 2) + 1, other);
  }
  for (LineOrder order : test::turns_of(kOrdersOfEveryKind)) {
    for (FieldKey& key : order.keys) key.field = 1 - key.field % 2;
    expect_sorted(order, lines);
    for (FieldKey& key : order.keys) key = {0, false, !key.descending};
    expect_sorted(order, lines);
  }
}

TEST_F(SortReferences, SortLinesLongerThanAReferenceTells) {
  std::string lines = lines_with_fields(1000);
  for (const std::size_t bytes : turns_of({1'048'566, 1'048'567, 1'048'568, 9'000'000})) {
    for (const char letter : {'b', 'a'}) lines += "w7 7 " + std::string(bytes, letter) + "\n" + lines_with_fields(10);
  }
  expect_sorted_in_all_orders(lines);
}

TEST_F(SortReferences, SortInReverse) {
  for (std::size_t i = 0; i < 2; ++i) {
    SortForTest job(format_of(kOrdersOfEveryKind[i]), {lines_with_fields(20'000) + lines_of_one_key(2000)});
    job.options.format.descending = true;
    run(job);
    const std::string ascending = sorted_lines(kOrdersOfEveryKind[i], job.input());
    auto lines = records_of(layout_of(job.options.format), ascending);
    std::ranges::reverse(lines);
    EXPECT_TRUE(job.output() == joined(lines));
  }
}

TEST_F(SortReferences, WithoutVerifying) {
  for (const LineOrder& order : test::turns_of(kOrdersOfEveryKind)) {
    SortForTest job(format_of(order), {lines_with_fields(20'000)});
    job.options.unique = order.unique;
    job.options.verify = false;
    run(job);
    EXPECT_TRUE(job.output() == sorted_lines(order, job.input()));
  }
}

TEST_F(SortReferences, ReplacesItsInput) {
  SortForTest job(format_of(kOrdersOfEveryKind[1]), {lines_with_fields(20'000)});
  job.options.output = job.options.inputs[0];
  run(job);
  EXPECT_TRUE(job.output() == sorted_lines(kOrdersOfEveryKind[1], job.input()));
}

TEST_F(SortReferences, KeepsTheLastOfLinesWithEqualKeys) {
  SortForTest job(format_of(kOrdersOfEveryKind[4]), {lines_with_fields(20'000)});
  job.options.unique = job.options.keep_last = true;
  run(job);
  std::map<std::string, std::string> last;
  const std::string input = job.input();
  for (const std::string_view line : records_of(layout_of(job.options.format), input)) {
    last[std::string(field_of(line, 0))] = line;
  }
  std::string expected;
  for (const auto& [key, line] : last) expected += line;
  EXPECT_TRUE(job.output() == expected);
}

TEST_F(SortReferences, LeavesLargeInputsForSmallMemoryAlone) {
  SortForTest job(format_of(kOrdersOfEveryKind[0]), {lines_with_fields(60'000)});
  job.options.memory_bytes = 2 << 20;
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  const SortReport report = SortJob(*files, job.options, {}, {.least_mapped_bytes = 1}).run();
  EXPECT_GT(report.runs, 1U);
  EXPECT_TRUE(job.output() == sorted_lines(kOrdersOfEveryKind[0], job.input()));
}

}  // namespace
}  // namespace sortie
