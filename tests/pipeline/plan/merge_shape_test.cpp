#include "pipeline/plan/merge_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "base/size.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kArena = 1 << 20;
constexpr std::uint64_t kIndex = 16 << 20;

// Demands and memory of all sizes.
struct RandomMerge {
  MergeWorkload workload;
  std::uint64_t arena_bytes = 0;
  std::uint64_t index_bytes = 0;
};
RandomMerge random_merge(std::mt19937_64& random) {
  const auto size = [&](unsigned least_bits, unsigned bits) {
    return (std::uint64_t{1} << (least_bits + random() % bits)) + random() % (1 << 10);
  };
  return {{size(16, 40), size(0, 16), size(0, 16), 100 + random() % 256}, size(20, 12), size(16, 16)};
}

TEST(MergeShape, MoreMemoryNeverTakesMorePassesNorMergesFewerRunsAtOnce) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const RandomMerge merge = random_merge(random);
    const MergeShape less = shape_merge(merge.workload, merge.arena_bytes, merge.index_bytes);
    const MergeShape more = shape_merge(merge.workload, merge.arena_bytes + random() % merge.arena_bytes,
                                        merge.index_bytes + random() % merge.index_bytes);
    ASSERT_LE(more.passes, less.passes) << round;
    ASSERT_TRUE(more.passes == 1 || more.passes < less.passes || more.fan_in >= less.fan_in) << round;
  }
}

TEST(MergeShape, TheIndexFitsUnlessBlocksAreTheLargest) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20'000; ++round) {
    const RandomMerge merge = random_merge(random);
    const MergeShape shape = shape_merge(merge.workload, merge.arena_bytes, merge.index_bytes);
    ASSERT_TRUE(shape.index_bytes <= merge.index_bytes || shape.block_bytes == most_block_bytes(merge.arena_bytes));
    ASSERT_EQ(shape.passes, merge_passes(merge.workload.runs, shape.fan_in));
    ASSERT_LE(shape.fan_in, max_fan_in(merge.arena_bytes, shape.block_bytes));
  }
}

TEST(MergeShape, OnePassHasBlocksThatLeaveRoomForWindows) {
  const MergeShape shape = shape_merge({10 << 20, 10, 100, 200}, kArena, kIndex);
  EXPECT_EQ(shape.passes, 1U);
  EXPECT_EQ(shape.block_bytes, round_down(kArena / 80, 512));
  EXPECT_GE(window_bytes(kArena, std::vector<std::uint64_t>(10, shape.block_bytes)), kArena / 4 * 3);
}

TEST(MergeShape, LargerBlocksMakeASmallIndex) {
  const MergeWorkload workload{300 << 20, 40, 100, 200};
  const MergeShape shape = shape_merge(workload, kArena, 8 << 20);
  EXPECT_EQ(shape.passes, 1U);
  EXPECT_GT(shape.block_bytes, kSmallestBlock);
  const MergeShape smaller = shape_merge(workload, kArena, 4 << 20);
  EXPECT_EQ(smaller.passes, 2U);
  EXPECT_GT(smaller.block_bytes, shape.block_bytes);
}

TEST(MergeShape, MergesNoMoreRunsAtOnceThanAreAllowed) {
  MergeWorkload workload{300 << 20, 70, 100, 200};
  EXPECT_EQ(shape_merge(workload, kArena, kIndex).passes, 1U);
  workload.most_fan_in = 10;
  const MergeShape shape = shape_merge(workload, kArena, kIndex);
  EXPECT_EQ(shape.fan_in, 10U);
  EXPECT_EQ(shape.passes, 2U);
}

TEST(MergeShape, LongRecordsLeaveRoomForFewerRuns) {
  const MergeWorkload workload{40 << 20, 20, 100'000, 300};
  const MergeShape shape = shape_merge(workload, kArena, kIndex);
  EXPECT_LT(shape.block_bytes, 8192U);
  EXPECT_EQ(shape.fan_in, max_fan_in(kArena, workload.record_bytes));
}

TEST(MergeShape, BlocksDoubleWhereThereAreMoreThanWasExpected) {
  const BlockSizes sizes{.first = 4096, .most = 20'000, .step_bytes = 1000};
  EXPECT_EQ(grown_block_bytes(sizes, 0), 4096U);
  EXPECT_EQ(grown_block_bytes(sizes, 1000), 4096U);
  EXPECT_EQ(grown_block_bytes(sizes, 1001), 8192U);
  EXPECT_EQ(grown_block_bytes(sizes, 2001), 16384U);
  EXPECT_EQ(grown_block_bytes(sizes, 1'000'000), 20'000U);
}

TEST(MergeShape, FanInOfRunsAtHandHoldsForWhicheverOfThemAreMerged) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t arena = 1 + random() % (1 << 22);
    std::vector<std::uint64_t> blocks(1 + random() % 100);
    for (std::uint64_t& block : blocks) block = 1 + random() % (random() % 8 == 0 ? 1 << 20 : 1 << 13);
    const std::uint64_t fan_in = max_fan_in(arena, blocks);
    ASSERT_GE(fan_in, 2U);
    std::ranges::sort(blocks, std::greater<>());
    const auto reach = [&](std::uint64_t count) {
      return std::accumulate(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(count), std::uint64_t{0},
                             [](std::uint64_t sum, std::uint64_t block) { return sum + reach_bytes(block); });
    };
    const std::uint64_t grown = std::max(arena, 4 * blocks.front());  // for long records
    ASSERT_TRUE(fan_in == 2 || reach(fan_in) <= grown / 4 * 3);
    ASSERT_TRUE(fan_in >= blocks.size() || reach(fan_in + 1) > grown / 4 * 3);
  }
}

TEST(MergeShape, FanInOfEqualBlocksIsThatOfThePlan) {
  const std::uint64_t arena = 1 << 20;
  const std::uint64_t planned = max_fan_in(arena, 4096);
  EXPECT_EQ(max_fan_in(arena, std::vector<std::uint64_t>(1000, 4096)), planned);
  // A long record in one run takes room for that run only, not for all.
  std::vector<std::uint64_t> one_long(1000, 4096);
  one_long[3] = arena / 4;
  EXPECT_GT(max_fan_in(arena, one_long), planned / 4);
  EXPECT_LT(max_fan_in(arena, one_long), planned);
}

TEST(MergeShape, OneRecordLongerThanTheArenaLeavesRoomForOtherRuns) {
  const std::uint64_t arena = 1 << 20;
  std::vector<std::uint64_t> one_long(100, 4096);
  one_long[3] = 20 * arena;
  EXPECT_GE(max_fan_in(arena, one_long), 100U);
  EXPECT_GE(window_bytes(arena, one_long), one_long[3]);
}

}  // namespace
}  // namespace sortie
