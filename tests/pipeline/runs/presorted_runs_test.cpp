#include "pipeline/runs/presorted_runs.hpp"

#include "pipeline/keyed_lines.hpp"
#include "pipeline/store_support.hpp"

namespace sortie {
namespace {

using namespace test;

class PresortedRunsTest : public testing::Test {
 protected:
  FormedRuns take(const Format& format, const std::vector<std::string>& contents, std::uint64_t store_bytes,
                  std::uint64_t memory_bytes = 64 << 20) {
    SortOptions options;
    options.format = format;
    options.inputs = write_inputs(directory_, contents);
    options.memory_bytes = memory_bytes;
    InputOpener opener(*files_, options);
    const ResolvedOptions resolved = resolve(options, opener.find_header());
    RunStore::Options store{store_bytes, 4096, false, true};
    store.decorator = resolved.decorator.get();
    store_.emplace(resolved.options.format, store);
    return take_presorted_runs(*files_, opener, resolved, plan_for(resolved, {}, true, 1), store_->store, totals_,
                               observer_);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
  std::optional<StoreForTest> store_;
  RecordTotals totals_;
};

TEST_F(PresortedRunsTest, AreTheInputsThemselvesWherePossible) {
  const FormedRuns formed = take(parsed("lines"), {"a\nb\n", "c\n"}, 1 << 20);
  ASSERT_EQ(formed.runs.size(), 2U);
  EXPECT_EQ(formed.spilled, 0U);
  EXPECT_EQ(contents_of(formed.runs[0]), "a\nb\n");
}

TEST_F(PresortedRunsTest, OfUnfinishedInputsLieInOneStretchOfMemory) {
  const FormedRuns formed = take(parsed("lines"), {"a\nb"}, 1 << 20);
  ASSERT_EQ(formed.runs.size(), 1U);
  EXPECT_EQ(contents_of(formed.runs[0]), "a\nb\n");
  EXPECT_EQ(formed.runs[0].storage->view(0, 4).size(), 4U);
}

TEST_F(PresortedRunsTest, OfDecoratedLinesAreSortedAsThoseAreAndCountedAsTheyWere) {
  const LineOrder order = {{{0}}, false};
  const std::string lines = sorted_lines(order, lines_with_fields(3000));
  const FormedRuns formed = take(format_of(order), {lines, "a 2\na 1"}, 10 << 20);
  ASSERT_EQ(formed.runs.size(), 2U);
  EXPECT_EQ(formed.spilled, 0U);
  const LineDecorator decorator(format_of(order), false);
  EXPECT_TRUE(contents_of(formed.runs[0]) == decorated(decorator, lines));
  EXPECT_EQ(contents_of(formed.runs[1]), decorated(decorator, "a 2\na 1\n", lines.size()));
  EXPECT_EQ(totals_, totals_of(format_of(order), as_bytes(lines + "a 2\na 1\n"), true));
}

TEST_F(PresortedRunsTest, AreSeveralWhereLinesGetLongerThanTheFirstOnesDo) {
  // Places take eight bytes a line: nothing beside the long ones at the beginning, nine tenths of the empty ones.
  const LineOrder order = {{{1}}, false};
  std::string lines;
  for (int i = 0; i < 30; ++i) lines += std::string(10'000, 'z') + "\n";
  lines += std::string(400'000, '\n');
  const FormedRuns formed = take(format_of(order), {lines}, 0, 1 << 20);
  ASSERT_GE(formed.runs.size(), 2U);
  EXPECT_EQ(formed.spilled, formed.runs.size());
  std::string together;
  for (const sortie::Run& run : formed.runs) together += contents_of(run);
  EXPECT_TRUE(together == decorated(LineDecorator(format_of(order), false), lines));
}

}  // namespace
}  // namespace sortie
