#include "pipeline/plan/memory_plan.hpp"

#include <gtest/gtest.h>
#include <sortie/options.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "base/size.hpp"
#include "run/run.hpp"

namespace sortie {
namespace {

// Every combination of inputs to the plan that makes a difference.
std::vector<MemoryPlanInput> all_inputs() {
  std::vector<MemoryPlanInput> inputs;
  for (std::uint64_t power = kMinMemoryBytes; power <= std::uint64_t{1} << 40; power *= 2) {
    for (const std::uint64_t budget : {power, power + power / 3 + 1}) {
      for (const std::uint64_t record_bytes : {0ULL, 1ULL, 4ULL, 8ULL, 100ULL, 5000ULL, 1ULL << 20}) {
        for (const std::uint64_t input :
             {std::uint64_t{0}, std::uint64_t{1} << 20, budget / 2, 3 * budget, 1000 * budget}) {
          for (const unsigned engines : {0U, 1U, 2U, 8U}) {  // 0 stands for one engine on the host
            const std::uint64_t overhead = record_bytes == 4 || record_bytes == 8 ? record_bytes : 16;
            inputs.push_back({budget, input, record_bytes, overhead, engines == 0, std::max(1U, engines)});
            inputs.push_back(inputs.back());
            inputs.back().threads = 16;
            inputs.push_back(inputs.back());
            inputs.back().host_record_overhead = 0;
          }
        }
      }
    }
  }
  return inputs;
}

std::string describe(const MemoryPlanInput& input) {
  return std::to_string(input.budget_bytes) + " bytes for " + std::to_string(input.input_bytes) + " of records of " +
         std::to_string(input.record_bytes) + ", " + std::to_string(input.engine_count) +
         (input.records_on_host ? " on the host" : " GPUs");
}

TEST(MemoryPlan, StaysWithinTheBudgetInBothPhases) {
  for (const MemoryPlanInput& input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    const std::uint64_t engines = input.engine_count;
    // An eighth is reserved for parts and blocks in flight, up to a fixed amount.
    const std::uint64_t limit = input.budget_bytes - std::min<std::uint64_t>(input.budget_bytes / 8, 128 << 20);
    ASSERT_LE(engines * plan.formation_bytes + plan.store_bytes, limit);
    const std::uint64_t windows = (engines + 1) + 2 * engines;
    ASSERT_LE(windows * plan.arena_bytes + engines * plan.merger_bytes + plan.store_bytes, limit);
  }
}

TEST(MemoryPlan, GivesManyThreadsLargerPartsToShare) {
  MemoryPlanInput input{.budget_bytes = std::uint64_t{64} << 30, .threads = 2};
  const std::uint64_t few = plan_memory(input).part_bytes;
  input.threads = 16;
  EXPECT_GT(plan_memory(input).part_bytes, few);
  input.budget_bytes = few;
  EXPECT_LE(plan_memory(input).part_bytes, few / 32) << "but no more than the budget allows";
  input.budget_bytes = std::uint64_t{1} << 30;
  EXPECT_EQ(plan_memory(input).part_bytes, input.budget_bytes / 16);
}

TEST(MemoryPlan, KeepsMemoryForDecoratingLinesBesideEverythingElse) {
  for (MemoryPlanInput input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    input.decorates = true;
    const MemoryPlan plan = plan_memory(input);
    const std::uint64_t limit = input.budget_bytes - std::min<std::uint64_t>(input.budget_bytes / 8, 128 << 20);
    ASSERT_GE(plan.decoration.memory_bytes, 16U << 10);
    ASSERT_LE(input.engine_count * plan.formation_bytes + plan.store_bytes + plan.decoration.memory_bytes, limit);
    input.decorates = false;
    ASSERT_EQ(plan_memory(input).decoration.memory_bytes, 0U);
  }
}

TEST(MemoryPlan, KeepsMemoryForSelectedRecordsBesideEverythingElse) {
  for (MemoryPlanInput input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    input.selects = true;
    const MemoryPlan plan = plan_memory(input);
    const std::uint64_t limit = input.budget_bytes - std::min<std::uint64_t>(input.budget_bytes / 8, 128 << 20);
    ASSERT_GE(plan.selection_bytes, input.budget_bytes / 4);
    if (input.records_on_host) {
      ASSERT_GT(plan.formation_bytes, plan.part_bytes);
    }
    ASSERT_LE(input.engine_count * plan.formation_bytes + plan.store_bytes + plan.selection_bytes, limit);
    input.selects = false;
    ASSERT_EQ(plan_memory(input).selection_bytes, 0U);
  }
}

TEST(MemoryPlan, GivesEveryPartSomething) {
  for (const MemoryPlanInput& input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    ASSERT_GT(plan.part_bytes, 0U);
    ASSERT_LT(plan.part_bytes, plan.formation_bytes);
    ASSERT_GE(plan.block_bytes, 4096U);
    ASSERT_LE(plan.block_bytes, 1U << 20);
    ASSERT_EQ(plan.run_bytes > 0, input.records_on_host);
    ASSERT_LT(plan.run_bytes, plan.formation_bytes);
    ASSERT_EQ(plan.merger_bytes > 0, !input.records_on_host);
  }
}

TEST(MemoryPlan, LeavesRoomForTwoRunsAndAWindowInEveryArena) {
  for (const MemoryPlanInput& input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    const std::uint64_t fan_in = max_fan_in(plan.arena_bytes, plan.block_bytes);
    ASSERT_GE(fan_in, 2U);
    const std::uint64_t window = window_bytes(plan.arena_bytes, std::vector(fan_in, plan.block_bytes));
    ASSERT_GE(window, plan.arena_bytes / 4);
    // Several GPUs that share a few hundred kilobytes merge two runs at a time, whatever the plan says.
    const bool too_small = !input.records_on_host && plan.arena_bytes < 6 * plan.block_bytes;
    ASSERT_TRUE(too_small || window + fan_in * reach_bytes(plan.block_bytes) <= plan.arena_bytes);
  }
}

TEST(MemoryPlan, LargerBlocksCanStillBeMergedSeveralAtOnce) {
  for (const MemoryPlanInput& input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    ASSERT_GE(plan.most_block_bytes, plan.block_bytes);
    ASSERT_LE(plan.most_block_bytes, 1U << 20);
    const std::uint64_t arena = std::max<std::uint64_t>(plan.arena_bytes, 1 << 20);
    ASSERT_TRUE(plan.most_block_bytes == plan.block_bytes || max_fan_in(arena, plan.most_block_bytes) >= 8);
    ASSERT_GT(plan.index_bytes, 0U);
  }
}

TEST(MemoryPlan, LetsAnInputThatFitsOneRunHaveAllMemory) {
  MemoryPlanInput input{1 << 30, 0, 100, 16, true, 1};
  input.input_bytes = 700 << 20;
  const MemoryPlan plan = plan_memory(input);
  EXPECT_GE(plan.run_bytes, input.input_bytes);
  EXPECT_EQ(plan.store_bytes, 0U);
  input.input_bytes = 900 << 20;
  EXPECT_LT(plan_memory(input).run_bytes, input.input_bytes);
  EXPECT_GT(plan_memory(input).store_bytes, 0U);
}

TEST(MemoryPlan, LeavesRoomForAMappedInput) {
  MemoryPlanInput input{.budget_bytes = 1 << 30, .input_bytes = 300 << 20, .record_bytes = 30};
  input.host_record_overhead = 16;
  input.decorates = true;
  EXPECT_TRUE(fits_one_run(input));
  const std::uint64_t formation_bytes = plan_memory(input).formation_bytes;
  input.held_bytes = 200 << 20;
  EXPECT_TRUE(fits_one_run(input));
  EXPECT_EQ(plan_memory(input).formation_bytes, formation_bytes - input.held_bytes);
  input.held_bytes = 700 << 20;
  EXPECT_FALSE(fits_one_run(input));
  input.held_bytes = std::uint64_t{2} << 30;
  EXPECT_FALSE(fits_one_run(input));
}

TEST(MemoryPlan, MakesBlocksSmallerForMoreRuns) {
  const MemoryPlanInput few{1 << 30, std::uint64_t{2} << 30, 100, 16, true, 1};
  const MemoryPlanInput many{1 << 30, std::uint64_t{2} << 40, 100, 16, true, 1};
  EXPECT_GT(plan_memory(few).block_bytes, plan_memory(many).block_bytes);
}

TEST(MemoryPlan, TakesOnePassWhereTheIndexOfLargerBlocksHasRoom) {
  MemoryPlanInput input{.budget_bytes = 256 << 20, .record_bytes = 100, .host_record_overhead = 16};
  for (const std::uint64_t gigabytes : {1, 2, 5, 10, 13}) {
    input.input_bytes = gigabytes << 30;
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    EXPECT_GE(planned_fan_in(plan, input.input_bytes), divide_up(input.input_bytes, plan.run_bytes));
    EXPECT_LE(plan.index_bytes, input.budget_bytes / 4);
    const bool is_usual = plan.index_bytes == std::max<std::uint64_t>(1 << 20, input.budget_bytes / 128);
    EXPECT_LE(plan.store_bytes + plan.formation_bytes + (is_usual ? 0 : plan.index_bytes), input.budget_bytes / 8 * 7)
        << "the index has memory of its own";
  }
}

TEST(MemoryPlan, MergesManyRunsAtOnceWhereOnePassWouldNotDo) {
  for (const std::uint64_t gigabytes : {15, 20, 40}) {
    const MemoryPlanInput input{256 << 20, gigabytes << 30, 100, 16, true, 1};
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    const std::uint64_t runs = divide_up(input.input_bytes, plan.run_bytes);
    const std::uint64_t fan_in = planned_fan_in(plan, input.input_bytes);
    EXPECT_LT(fan_in, runs);
    EXPECT_GE(fan_in * fan_in, runs) << "two passes";
  }
}

TEST(MemoryPlan, TakesNoMemoryForAPassThatIsNotAllowed) {
  MemoryPlanInput input{.budget_bytes = 256 << 20, .input_bytes = std::uint64_t{10} << 30, .record_bytes = 100};
  const std::uint64_t index_bytes = plan_memory(input).index_bytes;
  input.key_bytes = 4;
  EXPECT_LT(plan_memory(input).index_bytes, index_bytes) << "short keys make a smaller index";
  input.most_fan_in = 16;
  EXPECT_EQ(plan_memory(input).index_bytes, input.budget_bytes / 128);
}

TEST(MemoryPlan, SaysHowLargeBlocksWillBe) {
  MemoryPlan plan;
  plan.block_bytes = 4096;
  plan.most_block_bytes = 32768;
  plan.index_entry_bytes = 100;
  plan.index_bytes = 10 * plan.index_entry_bytes;
  EXPECT_EQ(largest_planned_block(plan, 10 * 4096), 4096U);
  EXPECT_EQ(largest_planned_block(plan, 11 * 4096), 8192U);
  EXPECT_EQ(largest_planned_block(plan, 10 * (4096 + 8192)), 8192U);
  EXPECT_EQ(largest_planned_block(plan, 11 * (4096 + 8192)), 16384U);
  EXPECT_EQ(largest_planned_block(plan, std::uint64_t{1} << 40), 32768U);
}

TEST(MemoryPlan, SaysHowManyRunsOfTheLargestBlocksOnePassWillMerge) {
  MemoryPlan plan;
  plan.arena_bytes = 1 << 20;
  plan.block_bytes = 4096;
  plan.most_block_bytes = 32768;
  plan.index_entry_bytes = 100;
  plan.index_bytes = 10 * plan.index_entry_bytes;
  for (const std::uint64_t blocks : {1, 10, 11, 100, 100'000}) {
    const std::uint64_t bytes = blocks * plan.block_bytes;
    const std::vector<std::uint64_t> largest(1000, largest_planned_block(plan, bytes));
    EXPECT_EQ(planned_fan_in(plan, bytes), max_fan_in(plan.arena_bytes, largest)) << blocks;
  }
}

TEST(MemoryPlan, FanInOfRunsAtHandHoldsForWhicheverOfThemAreMerged) {
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
    std::uint64_t grown = std::max(arena, 4 * blocks.front());        // for long records
    if (blocks.front() > std::max<std::uint64_t>(4096, arena / 8)) {  // for blocks that have grown
      const std::uint64_t of_eight = 8 * reach_bytes(blocks.front()) / 3 * 4 + kRangeAlignment;
      grown = std::max(grown, std::min<std::uint64_t>(of_eight, 1 << 20));
    }
    ASSERT_TRUE(fan_in == 2 || reach(fan_in) <= grown / 4 * 3);
    ASSERT_TRUE(fan_in >= blocks.size() || reach(fan_in + 1) > grown / 4 * 3);
  }
}

TEST(MemoryPlan, SeveralRunsOfGrownBlocksAreMergedAtOnceHoweverSmallTheBudget) {
  for (const std::uint64_t budget : {256U << 10, 1U << 20, 4U << 20}) {
    MemoryPlanInput input;
    input.budget_bytes = budget;
    input.most_bytes = budget;
    input.record_bytes = 100;
    input.host_record_overhead = 16;
    input.records_on_host = true;
    const MemoryPlan plan = plan_memory(input);
    EXPECT_GE(plan.most_block_bytes, 32U << 10);
    EXPECT_GE(max_fan_in(plan.arena_bytes, std::vector<std::uint64_t>(100, plan.most_block_bytes)), 5U);
  }
}

TEST(MemoryPlan, FanInOfEqualBlocksIsThatOfThePlan) {
  const std::uint64_t arena = 1 << 20;
  const std::uint64_t planned = max_fan_in(arena, 4096);
  EXPECT_EQ(max_fan_in(arena, std::vector<std::uint64_t>(1000, 4096)), planned);
  // A long record in one run takes room for that run only, not for all.
  std::vector<std::uint64_t> one_long(1000, 4096);
  one_long[3] = arena / 4;
  EXPECT_GT(max_fan_in(arena, one_long), planned / 4);
  EXPECT_LT(max_fan_in(arena, one_long), planned);
}

TEST(MemoryPlan, OneRecordLongerThanTheArenaLeavesRoomForOtherRuns) {
  const std::uint64_t arena = 1 << 20;
  std::vector<std::uint64_t> one_long(100, 4096);
  one_long[3] = 20 * arena;
  EXPECT_GE(max_fan_in(arena, one_long), 100U);
  EXPECT_GE(window_bytes(arena, one_long), one_long[3]);
}

}  // namespace
}  // namespace sortie
