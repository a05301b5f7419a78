// Whole sorts of lines by keys: lines are encoded, sorted, and written as they were.
#include <numeric>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

struct KeysForTest : SortForTest {
  KeysForTest(const LineOrder& wanted, const std::vector<std::string>& contents)
      : SortForTest(format_of(wanted), contents), order(wanted) {
    options.unique = order.unique;
  }

  SortReport expect_sorted() {
    const SortReport report = run();
    EXPECT_TRUE(output() == sorted_lines(order, input()));
    expect_consistent(report, *this);
    return report;
  }

  LineOrder order;
};

SortReport expect_sorted(const LineOrder& order, const std::vector<std::string>& contents,
                         std::uint64_t memory_bytes = kMinMemoryBytes) {
  KeysForTest job(order, contents);
  job.options.memory_bytes = memory_bytes;
  return job.expect_sorted();
}

/// Indices into kOrdersOfEveryKind.
std::vector<std::size_t> numbers_of_orders() {
  std::vector<std::size_t> numbers(kOrdersOfEveryKind.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return turns_of(numbers);
}

std::string name_of(std::size_t order) { return "order " + std::to_string(order); }

TEST(SortKeys, InOneRun) {
  for (const std::size_t i : numbers_of_orders()) {
    SCOPED_TRACE(name_of(i));
    const SortReport report = expect_sorted(kOrdersOfEveryKind[i], {lines_with_fields(20'000)}, 64 << 20);
    EXPECT_EQ(report.runs, 1U);
    EXPECT_EQ(report.scratch_peak_bytes, 0U);
  }
}

TEST(SortKeys, InRunsThatAreSpilled) {
  for (const std::size_t i : numbers_of_orders()) {
    SCOPED_TRACE(name_of(i));
    const SortReport report = expect_sorted(kOrdersOfEveryKind[i], {lines_with_fields(40'000)}, 1 << 20);
    EXPECT_GT(report.runs, 2U);
    EXPECT_TRUE(report.runs_spilled > 0 || kOrdersOfEveryKind[i].unique);
  }
}

TEST(SortKeys, InSeveralPasses) {
  for (const std::size_t i : numbers_of_orders()) {
    SCOPED_TRACE(name_of(i));
    KeysForTest job(kOrdersOfEveryKind[i], {lines_with_fields(80'000)});
    job.options.merge_fan_in = 3;
    EXPECT_GT(job.expect_sorted().merge_passes, 1U);
  }
}

TEST(SortKeys, OfSeveralInputsWithUnfinishedLastLines) {
  for (const LineOrder& order : turns_of(kOrdersOfEveryKind)) {
    expect_sorted(order, {"w 3 x", "", lines_with_fields(3000) + "v 2", "w 3 x\n", "\n", " ", lines_with_fields(50)});
  }
}

TEST(SortKeys, OfNothing) {
  EXPECT_EQ(expect_sorted(kOrdersOfEveryKind[0], {""}).runs, 0U);
  EXPECT_EQ(expect_sorted(kOrdersOfEveryKind[0], {"", ""}).output_records, 0U);
}

TEST(SortKeys, OfEmptyLines) {
  for (const LineOrder& order : turns_of(kOrdersOfEveryKind)) expect_sorted(order, {std::string(300'000, '\n')});
}

TEST(SortKeys, OfLinesThatEndInNul) {
  for (LineOrder order : turns_of(kOrdersOfEveryKind)) {
    order.delimiter = '\0';
    expect_sorted(order, {lines_with_fields(30'000, 3, '\0'), lines_of_extreme_bytes(20'000, '\0')});
  }
}

TEST(SortKeys, OfExtremeBytes) {
  for (const LineOrder& order : turns_of(kOrdersOfEveryKind)) expect_sorted(order, {lines_of_extreme_bytes(60'000)});
}

TEST(SortKeys, OfLinesLongerThanAPiece) {
  std::string bytes = lines_with_fields(20'000);
  for (const char letter : {'b', 'a', 'c'}) {
    bytes += std::string(70'000, letter) + " 1 2\n" + lines_with_fields(2000, static_cast<std::uint64_t>(letter));
  }
  for (const LineOrder& order : turns_of(kOrdersOfEveryKind)) expect_sorted(order, {bytes}, 1 << 20);
}

TEST(SortKeys, OfLinesLongerThanTheMemory) {
  std::string bytes = lines_with_fields(20'000);
  for (const char letter : {'b', 'a'}) {
    bytes += std::string(600'000, letter) + " 1 2\n" + lines_with_fields(2000, static_cast<std::uint64_t>(letter));
  }
  for (const LineOrder& order : test::turns_of(kOrdersOfEveryKind)) expect_sorted(order, {bytes});
}

TEST(SortKeys, ReadsAndWritesCompressedFiles) {
  const LineOrder order = kOrdersOfEveryKind[1];
  const std::string bytes = lines_with_fields(30'000);
  KeysForTest pack(order, {bytes});
  pack.options.output = pack.directory / "packed.gz";
  pack.run();
  KeysForTest job(kOrdersOfEveryKind[2], {""});
  job.options.inputs = {pack.options.output};
  job.run();
  EXPECT_TRUE(job.output() == sorted_lines(kOrdersOfEveryKind[2], sorted_lines(order, bytes)));
}

TEST(SortKeys, WithoutVerifying) {
  for (const LineOrder& order : turns_of(kOrdersOfEveryKind)) {
    KeysForTest job(order, {lines_with_fields(30'000)});
    job.options.verify = false;
    job.expect_sorted();
  }
}

TEST(SortKeys, ReplacesItsInput) {
  KeysForTest job(kOrdersOfEveryKind[1], {lines_with_fields(30'000)});
  job.options.output = job.options.inputs[0];
  job.run();
  EXPECT_TRUE(job.output() == sorted_lines(job.order, job.input()));
}

TEST(SortKeys, OrdersWholeLinesWithoutDecoratingThem) {
  Format format = parsed("lines");
  format.text.last_resort_descending = true;
  SortForTest job(format, {"b\na\nc"});
  EXPECT_EQ(
      job.run().stages.size(), 0U + [&] {
        SortForTest plain(parsed("lines", {}, true), {"b\na\nc"});
        return plain.run().stages.size();
      }());
  EXPECT_EQ(job.output(), "c\nb\na\n");
}

TEST(SortKeys, TellsWhatMakingKeysAndCuttingThemOffTook) {
  for (const std::uint64_t memory_bytes : {kMinMemoryBytes, std::uint64_t{64} << 20}) {
    KeysForTest job(kOrdersOfEveryKind[0], {lines_with_fields(40'000)});
    job.options.memory_bytes = memory_bytes;
    std::map<std::string, std::uint64_t> bytes;
    for (const StageReport& stage : job.run().stages) bytes[stage.name] += stage.bytes;
    EXPECT_EQ(bytes["make keys"], job.input().size());
    EXPECT_GT(bytes["cut keys off"], job.input().size());
    EXPECT_EQ(bytes["write"], job.input().size());
    EXPECT_FALSE(bytes.contains("check output"));
  }
}

TEST(SortKeys, ArePartOfThePlan) {
  KeysForTest job(kOrdersOfEveryKind[2], {lines_with_fields(40'000)});
  const std::string text = plan(job.options);
  EXPECT_NE(text.find("\nkeys          records are sorted with their keys in front: about "), std::string::npos)
      << text;
  KeysForTest small(kOrdersOfEveryKind[2], {"a b c\n"});
  small.options.memory_bytes = 64 << 20;
  EXPECT_NE(plan(small.options).find("runs          1: all fits in memory"), std::string::npos);
}

}  // namespace
}  // namespace sortie
