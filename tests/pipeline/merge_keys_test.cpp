// Merges and checks inputs that are already sorted by keys.

#include <thread>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

const std::vector<LineOrder> kOrders = {{{{0}}}, {{{1, true, true}}, false}, {{{0}, {1, true}}, true, true}};

// Lines cut into `count` inputs. Each is sorted as without --unique.
std::vector<std::string> sorted_inputs(LineOrder order, std::string_view bytes, std::size_t count) {
  order.unique = false;
  order.last_resort = format_of(order).text.last_resort;
  const auto lines = records_of(layout_of(format_of(order)), bytes);
  std::vector<std::string> inputs(count);
  for (std::size_t i = 0; i < lines.size(); ++i) inputs[i * count / lines.size()] += lines[i];
  for (std::string& input : inputs) input = sorted_lines(order, input);
  return inputs;
}

struct KeyedMergeForTest : SortForTest {
  KeyedMergeForTest(const LineOrder& wanted, const std::vector<std::string>& contents)
      : SortForTest(format_of(wanted), contents), order(wanted) {
    options.merge_only = true;
    options.unique = order.unique;
  }

  SortReport expect_merged() {
    const SortReport report = run();
    EXPECT_TRUE(output() == sorted_lines(order, input()));
    expect_consistent(report, *this);
    return report;
  }

  LineOrder order;
};

TEST(MergeKeys, KeepsEqualKeysInTheOrderOfInputs) {
  for (const LineOrder& order : test::turns_of(kOrders)) {
    KeyedMergeForTest job(order, sorted_inputs(order, lines_with_fields(40'000), 3));
    EXPECT_GE(job.expect_merged().runs, 3U);
    job.options.memory_bytes = 64 << 20;
    EXPECT_EQ(job.expect_merged().runs_spilled, 0U);
  }
  KeyedMergeForTest job({{{0}}, false}, {"a 2\na 1\nb 9", "a 3\na 0\n", "a 2"});
  job.run();
  EXPECT_EQ(job.output(), "a 2\na 1\na 3\na 0\na 2\nb 9\n");
}

TEST(MergeKeys, TakesMoreInputsThanOnePassCan) {
  for (const LineOrder& order : test::turns_of(kOrders)) {
    KeyedMergeForTest job(order, sorted_inputs(order, lines_with_fields(40'000), 40));
    EXPECT_GE(job.expect_merged().merge_passes, 2U);
  }
}

TEST(MergeKeys, KeepsOnlyTheFirstOfEqualKeys) {
  KeyedMergeForTest job({{{0}}, true, true}, {"a 2\na 1\nb 9", "a 3\nb 0\nc 1\n"});
  job.run();
  EXPECT_EQ(job.output(), "a 2\nb 9\nc 1\n");
}

TEST(MergeKeys, TakesInputsThatGetMuchLongerThanTheirBeginning) {
  // Every line grows by eight bytes: little for the first lines, fivefold for the last ones.
  const std::string bytes = std::string(100'000, 'a') + "\n" + lines_with_fields(1000) + std::string(200'000, '\n');
  const LineOrder order = kOrders[1];
  KeyedMergeForTest job(order, {sorted_lines(order, bytes), sorted_lines(order, lines_with_fields(2000, 2))});
  job.options.memory_bytes = 4 << 20;
  EXPECT_GE(job.expect_merged().runs, 2U);
}

TEST(MergeKeys, TakesPipesAndCompressedInputs) {
  const LineOrder order = kOrders[0];
  const std::vector<std::string> inputs = sorted_inputs(order, lines_with_fields(20'000), 3);
  KeyedMergeForTest job(order, inputs);
  std::thread writer = job.pack_and_pipe();
  job.run();
  writer.join();
  EXPECT_TRUE(job.output() == sorted_lines(order, job.input()));
}

TEST(MergeKeys, NamesThePlaceInTheInputThatIsNotSorted) {
  const LineOrder order = kOrders[0];
  const std::string sorted = sorted_lines(order, lines_with_fields(30'000));
  const std::size_t lines = static_cast<std::size_t>(std::ranges::count(sorted, '\n'));
  KeyedMergeForTest job(order, {sorted, sorted + "a late\n"});
  std::vector<std::string> warnings;
  job.options.warn = [&](const std::string& message) { warnings.push_back(message); };
  job.run();
  ASSERT_EQ(warnings.size(), 1U);
  const std::string position = "record " + std::to_string(lines + 1) + " at offset " + std::to_string(sorted.size());
  EXPECT_NE(warnings[0].find("input1' is not sorted: " + position), std::string::npos) << warnings[0];
}

TEST(MergeKeys, StoresNothing) {
  const LineOrder order = kOrders[0];
  KeyedMergeForTest job(order, sorted_inputs(order, lines_with_fields(40'000), 5));
  job.options.scratch_directories = {job.directory / "missing"};
  EXPECT_EQ(job.expect_merged().scratch_peak_bytes, 0U);
}

class CheckKeys : public testing::Test {
 protected:
  std::optional<Disorder> check_of(const LineOrder& order, const std::vector<std::string>& contents) {
    SortOptions options;
    options.format = format_of(order);
    options.inputs = paths_ = write_inputs(directory_, contents);
    options.memory_bytes = kMinMemoryBytes;
    options.unique = order.unique;
    return check(options);
  }

  TemporaryDirectory directory_;
  std::vector<std::string> paths_;
};

TEST_F(CheckKeys, FindsNothingInWhatIsSorted) {
  for (const LineOrder& order : test::turns_of(kOrders)) {
    const std::string sorted = sorted_lines(order, lines_with_fields(40'000));
    EXPECT_FALSE(check_of(order, {sorted, "", ""}));
  }
}

TEST_F(CheckKeys, NamesTheFirstLineOutOfOrder) {
  std::string bytes;
  for (int i = 0; i < 60'000; ++i) bytes += "x " + std::to_string(1'000'000 + (i == 54'321 ? 0 : i)) + " y\n";
  const auto disorder = check_of({{{1, true}}}, {"x 7 y\n", bytes});
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->input, paths_[1]);
  EXPECT_EQ(disorder->record, 54'322U);
  EXPECT_EQ(disorder->offset, 12U * 54'321);
  EXPECT_EQ(disorder->text, "x 1000000 y");
}

TEST_F(CheckKeys, ComparesWholeLinesOnlyAsTheLastResort) {
  EXPECT_FALSE(check_of({{{0}}, false}, {"a 2\na 1\n"}));
  EXPECT_TRUE(check_of({{{0}}, true}, {"a 2\na 1\n"}));
}

TEST_F(CheckKeys, TakesEqualKeysForDisorderIfTheyMustBeUnique) {
  const LineOrder unique = {{{0}}, true, true};
  EXPECT_FALSE(check_of(unique, {"a 2\nb 1\n", "c"}));
  const auto within = check_of(unique, {"a 1\nb 2\nb 3\na\n"});
  ASSERT_TRUE(within);
  EXPECT_EQ(within->record, 3U);
  EXPECT_EQ(within->text, "b 3");
  const auto between = check_of(unique, {"a 1\nb 2\n", "b 3\n"});
  ASSERT_TRUE(between);
  EXPECT_EQ(between->input, paths_[1]);
  std::string bytes;
  for (int i = 0; i < 60'000; ++i) bytes += std::to_string(1'000'000 + i) + " x\n";
  EXPECT_FALSE(check_of(unique, {bytes}));
  const std::size_t repeated = 10 * 43'210;
  bytes.insert(repeated, bytes.substr(repeated - 10, 8) + "y\n");
  const auto later = check_of(unique, {bytes});
  ASSERT_TRUE(later);
  EXPECT_EQ(later->record, 43'211U);
}

TEST_F(CheckKeys, TakesLinesLongerThanTheMemory) {
  const std::string line(2'000'000, 'x');
  EXPECT_FALSE(check_of(kOrders[0], {"a\n" + line + "\n" + line}));
}

}  // namespace
}  // namespace sortie
