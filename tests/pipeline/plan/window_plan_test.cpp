#include "pipeline/plan/window_plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

BlockInfo block_of(std::string_view key, bool cut = false, std::uint64_t bytes = 1) {
  BlockInfo block;
  block.first_key.assign(as_bytes(key).begin(), as_bytes(key).end());
  block.key_is_cut = cut;
  block.record_bytes = bytes;
  return block;
}

KeyPlan lines_plan(bool descending = false) { return make_key_plan(parsed("lines", {}, descending)); }

int sign_of(int comparison) { return (comparison > 0) - (comparison < 0); }

void expect_in_order(const KeyPlan& plan, const std::vector<BlockInfo>& blocks) {
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      EXPECT_EQ(sign_of(compare_first_keys(plan, blocks[a], blocks[b])),
                sign_of(static_cast<int>(a) - static_cast<int>(b)))
          << a << ", " << b;
    }
  }
}

TEST(WindowPlanKeys, OrderAsTheLinesThatTheyBelongTo) {
  expect_in_order(lines_plan(), {block_of(""), block_of("a"), block_of("ab"), block_of("ab", true), block_of("b")});
}

TEST(WindowPlanKeys, PutTheLongerOfDescendingLinesFirst) {
  // The keys are complemented, so "b" comes before "a".
  expect_in_order(lines_plan(true),
                  {block_of("\x9d"), block_of("\x9e\x9d", true), block_of("\x9e\x9d"), block_of("\x9e"), block_of("")});
}

TEST(WindowPlanKeys, TieIfBothAreCutAlike) {
  EXPECT_EQ(compare_first_keys(lines_plan(), block_of("abc", true), block_of("abc", true)), 0);
  EXPECT_EQ(compare_first_keys(lines_plan(), block_of("abc"), block_of("abc")), 0);
}

std::vector<Run> random_runs(std::size_t count, unsigned distinct_keys, std::uint64_t block_bytes,
                             std::mt19937_64& random) {
  std::vector<Run> runs(count);
  for (Run& run : runs) {
    std::vector<std::string> keys(random() % 40);
    for (std::string& key : keys) key = std::to_string(random() % distinct_keys);
    std::ranges::sort(keys);
    for (const std::string& key : keys) run.blocks.push_back(block_of(key, false, 1 + random() % block_bytes));
  }
  return runs;
}

// (key, run, block) is the order in which bounds cut.
using Position = std::tuple<std::string, std::size_t, std::size_t>;

Position position_of(const std::vector<Run>& runs, const WindowBound& bound) {
  return {std::string(as_text(runs[bound.run].blocks[bound.block].first_key)), bound.run, bound.block};
}

void expect_windows_within(const std::vector<Run>& runs, std::uint64_t window_bytes) {
  const auto bounds = plan_windows(lines_plan(), runs, window_bytes);
  std::map<Position, std::uint64_t> blocks;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t b = 0; b < runs[r].blocks.size(); ++b)
      blocks[position_of(runs, {r, b})] = runs[r].blocks[b].record_bytes;
  }
  auto next = blocks.begin();
  for (std::size_t w = 0; w <= bounds.size(); ++w) {
    const auto end = w < bounds.size() ? blocks.find(position_of(runs, bounds[w])) : blocks.end();
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    for (; next != end; ++next, ++count) {
      ASSERT_NE(next, blocks.end()) << "bounds are not in order";
      bytes += next->second;
    }
    ASSERT_TRUE(bytes <= window_bytes || count == 1) << "window " << w << " of " << bytes;
    ASSERT_TRUE(count > 0 || blocks.empty()) << "window " << w << " is empty";
    ASSERT_TRUE(w == bounds.size() || bytes + end->second > window_bytes) << "window " << w << " could be larger";
  }
}

TEST(WindowPlan, CutsWindowsWithinTheirSizeInOrder) {
  std::mt19937_64 random(4);
  for (const unsigned distinct_keys : {1U, 3U, 1'000'000U}) {
    for (const std::size_t runs : {0, 1, 2, 7}) {
      for (const std::uint64_t window_bytes : {1, 50, 400, 100'000}) {
        SCOPED_TRACE(std::to_string(distinct_keys) + " keys, " + std::to_string(runs) + " runs, windows of " +
                     std::to_string(window_bytes));
        expect_windows_within(random_runs(runs, distinct_keys, 100, random), window_bytes);
      }
    }
  }
}

TEST(WindowPlan, NamesTheLargestBlockOfEveryRun) {
  auto runs = std::vector<sortie::Run>(3);
  runs[0].blocks = {block_of("a", false, 5), block_of("b", false, 9), block_of("c", false, 2)};
  runs[2].blocks = {block_of("a", false, 1)};
  EXPECT_EQ(largest_blocks(runs), (std::vector<std::uint64_t>{9, 0, 1}));
}

}  // namespace
}  // namespace sortie
