#include "engine/cpu/window_merge.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

// The sorted sub-windows, one after another, must be the whole window, sorted. This holds only if every cut is exact
// and every record is in just one of them.
void expect_exact(const Format& format, const std::string& bytes, std::size_t range_count, std::size_t wanted) {
  SCOPED_TRACE(std::to_string(range_count) + " ranges, " + std::to_string(wanted) + " wanted");
  const std::vector<std::string> ranges = sorted_ranges(format, bytes, range_count);
  const auto cuts = split_window(RecordOrder(format), spans_of(ranges), wanted);
  ASSERT_GE(cuts.size(), 2U);
  ASSERT_LE(cuts.size(), wanted + 1);
  std::string all;
  for (std::size_t w = 0; w + 1 < cuts.size(); ++w) {
    std::string window;
    for (std::size_t r = 0; r < range_count; ++r) {
      ASSERT_LE(cuts[w][r], cuts[w + 1][r]);
      window += ranges[r].substr(cuts[w][r], cuts[w + 1][r] - cuts[w][r]);
    }
    all += stable_sorted(format, window);
  }
  for (std::size_t r = 0; r < range_count; ++r) {
    EXPECT_EQ(cuts.front()[r], 0U);
    EXPECT_EQ(cuts.back()[r], ranges[r].size());
  }
  EXPECT_TRUE(all == stable_sorted(format, bytes));
}

void expect_exact_for_all_shapes(const Format& format, const std::string& bytes) {
  for (const std::size_t ranges : {1, 2, 3, 9}) {
    for (const std::size_t wanted : {1, 2, 7, 64}) expect_exact(format, bytes, ranges, wanted);
  }
}

TEST(WindowSplit, IsExactOnEveryDistribution) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const Format gensort = parsed("gensort");
    expect_exact_for_all_shapes(gensort, make_records(gensort, distribution, 500));
    const Format lines = parsed("lines", {}, true);
    expect_exact_for_all_shapes(lines, make_records(lines, distribution, 2000));
  }
}

TEST(WindowSplit, BalancesEqualKeys) {
  const Format format = parsed("fixed:16", {"u64@0"});
  const std::vector<std::string> ranges = sorted_ranges(format, make_records(format, Distribution::kConstant, 8000), 4);
  const auto cuts = split_window(RecordOrder(format), spans_of(ranges), 8);
  ASSERT_EQ(cuts.size(), 9U);
  for (std::size_t w = 0; w < 8; ++w) {
    std::size_t bytes = 0;
    for (std::size_t r = 0; r < 4; ++r) bytes += cuts[w + 1][r] - cuts[w][r];
    EXPECT_GT(bytes, 8000U * 16 / 16) << "window " << w;
    EXPECT_LT(bytes, 8000U * 16 / 4) << "window " << w;
  }
}

TEST(WindowSplit, ServesRangesShorterThanTheSamples) {
  const Format format = parsed("lines");
  expect_exact_for_all_shapes(format, "b\na\n");
  expect_exact_for_all_shapes(format, "\n");
  expect_exact_for_all_shapes(format, "");
}

TEST(WindowSplit, ServesLinesLongerThanASubWindow) {
  const Format format = parsed("lines");
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += std::string(static_cast<std::size_t>(i * 997 % 5000), 'l') + "\n";
  expect_exact_for_all_shapes(format, bytes);
}

}  // namespace
}  // namespace sortie
