#include "pipeline/plan/memory_plan.hpp"

#include <gtest/gtest.h>
#include <sortie/options.hpp>

#include <algorithm>

#include "base/size.hpp"

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

// Every budget, however small, has so much more.
constexpr std::uint64_t kLeastArenaBytes = 1 << 20;
std::uint64_t free_index_bytes(const MemoryPlanInput& input) {
  return std::max<std::uint64_t>(16 << 20, input.budget_bytes / 128);
}

TEST(MemoryPlan, StaysWithinTheBudgetInBothPhases) {
  for (const MemoryPlanInput& input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    const std::uint64_t engines = input.engine_count;
    // An eighth is reserved for parts and blocks in flight, up to a fixed amount.
    const std::uint64_t limit = input.budget_bytes - std::min<std::uint64_t>(input.budget_bytes / 8, 128 << 20);
    const std::uint64_t index = plan.index_bytes - free_index_bytes(input);
    ASSERT_LE(engines * plan.formation_bytes + plan.store_bytes + index, limit);
    const std::uint64_t windows = (engines + 1) + 2 * engines;
    const std::uint64_t arenas = windows * plan.arena_bytes + engines * plan.merger_bytes;
    ASSERT_TRUE(plan.arena_bytes == kLeastArenaBytes || arenas + plan.store_bytes + index <= limit);
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
    input.encodes = true;
    const MemoryPlan plan = plan_memory(input);
    const std::uint64_t limit = input.budget_bytes - std::min<std::uint64_t>(input.budget_bytes / 8, 128 << 20);
    ASSERT_GE(plan.encoding.memory_bytes, 16U << 10);
    ASSERT_LE(input.engine_count * plan.formation_bytes + plan.store_bytes + plan.encoding.memory_bytes, limit);
    input.encodes = false;
    ASSERT_EQ(plan_memory(input).encoding.memory_bytes, 0U);
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
    ASSERT_GE(plan.merge.block_bytes, kSmallestBlock);
    ASSERT_LE(plan.merge.block_bytes, plan.most_block_bytes);
    ASSERT_LE(plan.most_block_bytes, kLargestBlock);
    ASSERT_EQ(plan.run_bytes > 0, input.records_on_host);
    ASSERT_LT(plan.run_bytes, plan.formation_bytes);
    ASSERT_EQ(plan.merger_bytes > 0, !input.records_on_host);
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
  input.encodes = true;
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

TEST(MemoryPlan, LeavesRoomForTheRunsOfAMergeAndAWindowInEveryArena) {
  for (const MemoryPlanInput& input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    ASSERT_GE(plan.merge.fan_in, 2U);
    const std::uint64_t block = std::max(plan.merge.block_bytes, input.record_bytes);
    const std::uint64_t window = window_bytes(plan.arena_bytes, std::vector(plan.merge.fan_in, block));
    ASSERT_GE(window, plan.arena_bytes / 4);
    ASSERT_TRUE(block > plan.arena_bytes / 8 || window + plan.merge.fan_in * reach_bytes(block) <= plan.arena_bytes);
  }
}

TEST(MemoryPlan, GrownBlocksCanStillBeMergedSeveralAtOnce) {
  for (const MemoryPlanInput& input : all_inputs()) {
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    ASSERT_GE(max_fan_in(plan.arena_bytes, std::vector<std::uint64_t>(100, plan.most_block_bytes)), 8U);
  }
}

// Budgets from the smallest to 64 MiB in steps of 64 KiB, for one input.
template <class Visit>
void for_each_small_budget(MemoryPlanInput input, const Visit& visit) {
  for (input.budget_bytes = kMinMemoryBytes; input.budget_bytes <= 64 << 20; input.budget_bytes += 64 << 10) {
    SCOPED_TRACE(describe(input));
    visit(input, plan_memory(input));
  }
}

// Lines, short and long records, lines with keys, for two threads and for many; 30 MB to 30 GB.
std::vector<MemoryPlanInput> inputs_of_every_kind() {
  std::vector<MemoryPlanInput> inputs;
  for (const std::uint64_t bytes : {30'000'000ULL, 300'000'000ULL, 3'000'000'000ULL, 30'000'000'000ULL}) {
    for (const std::uint64_t record_bytes : {8ULL, 75ULL, 300ULL, 20'000ULL}) {
      for (const bool encodes : {false, true}) {
        for (const unsigned threads : {2U, 16U}) {
          MemoryPlanInput input{.input_bytes = bytes, .record_bytes = record_bytes, .threads = threads};
          input.host_record_overhead = record_bytes == 8 ? 8 : 16;
          input.encodes = encodes;
          inputs.push_back(input);
        }
      }
    }
  }
  return inputs;
}

TEST(MemoryPlan, MoreMemoryTakesNoMorePassesAndMergesNoFewerRunsAtOnce) {
  for (const MemoryPlanInput& kind : inputs_of_every_kind()) {
    MergeShape before{.fan_in = 2, .passes = 1000};
    for_each_small_budget(kind, [&](const MemoryPlanInput& input, const MemoryPlan& plan) {
      const MergeShape& merge = plan.merge;
      ASSERT_LE(merge.passes, before.passes);
      ASSERT_TRUE(merge.passes == 1 || merge.passes < before.passes || merge.fan_in >= before.fan_in);
      ASSERT_TRUE(merge.passes > 1 || merge.fan_in >= divide_up(input.input_bytes, plan.run_bytes));
      before = merge;
    });
  }
}

TEST(MemoryPlan, TheIndexFitsUnlessOnlyTheFewestRunsAreMergedAtOnce) {
  for (const MemoryPlanInput& kind : inputs_of_every_kind()) {
    for_each_small_budget(kind, [&](const MemoryPlanInput& input, const MemoryPlan& plan) {
      ASSERT_TRUE(plan.merge.index_bytes <= plan.index_bytes || plan.merge.block_bytes == plan.most_block_bytes);
      const std::uint64_t most = input.budget_bytes / 8 * 7 + free_index_bytes(input);
      ASSERT_LE(plan.formation_bytes + plan.store_bytes + plan.index_bytes, most);
    });
  }
}

TEST(MemoryPlan, TakesFewPassesWhereMemoryIsSmall) {
  MemoryPlanInput input{.input_bytes = 300'000'000, .record_bytes = 100, .host_record_overhead = 16};
  for_each_small_budget(input, [](const MemoryPlanInput& at, const MemoryPlan& plan) {
    ASSERT_LE(plan.merge.passes, at.budget_bytes < 1 << 20 ? 3U : at.budget_bytes < 5 << 20 ? 2U : 1U);
  });
}

TEST(MemoryPlan, TakesOnePassWhereTheIndexOfLargerBlocksHasRoom) {
  MemoryPlanInput input{.budget_bytes = 256 << 20, .record_bytes = 100, .host_record_overhead = 16};
  for (const std::uint64_t gigabytes : {1, 2, 5, 10, 13, 16}) {
    input.input_bytes = gigabytes << 30;
    SCOPED_TRACE(describe(input));
    const MemoryPlan plan = plan_memory(input);
    EXPECT_EQ(plan.merge.passes, 1U);
    EXPECT_GE(plan.merge.fan_in, divide_up(input.input_bytes, plan.run_bytes));
    EXPECT_EQ(plan.store_bytes >= plan.run_bytes, gigabytes <= 10) << "the store gives memory where that saves a pass";
  }
}

// Runs of half the length, if one pass still merges them all.
TEST(MemoryPlan, ReadsARunWhileAnotherIsStoredUnlessThatTakesAnotherPass) {
  MemoryPlanInput input{
      .budget_bytes = 200 << 20, .input_bytes = 1 << 30, .record_bytes = 100, .host_record_overhead = 16};
  const MemoryPlan one = plan_memory(input);
  EXPECT_EQ(one.runs_at_once, 1U);
  input.overlaps_runs = true;
  const MemoryPlan two = plan_memory(input);
  EXPECT_EQ(two.runs_at_once, 2U);
  EXPECT_EQ(two.formation_bytes, one.formation_bytes);
  EXPECT_EQ(two.run_bytes, one.run_bytes / 2);
  EXPECT_EQ(two.merge.passes, 1U);
  input.input_bytes = 100 << 20;
  EXPECT_EQ(plan_memory(input).runs_at_once, 1U) << "all is in one run";
  input.input_bytes = 0;
  EXPECT_EQ(plan_memory(input).runs_at_once, 1U) << "perhaps it is";
  input.budget_bytes = 20 << 20;
  input.input_bytes = 100 << 20;
  EXPECT_EQ(plan_memory(input).runs_at_once, 1U) << "runs would be short";
  input.budget_bytes = 100 << 20;
  std::uint64_t passes_of_two = 0;
  for (std::uint64_t bytes = 1 << 30; passes_of_two < 2; bytes *= 2) {
    ASSERT_LT(bytes, std::uint64_t{1} << 50);
    input.input_bytes = bytes;
    input.overlaps_runs = false;
    const MemoryPlan without = plan_memory(input);
    input.overlaps_runs = true;
    const MemoryPlan with = plan_memory(input);
    EXPECT_EQ(with.merge.passes, without.merge.passes) << bytes;
    passes_of_two = with.merge.passes;
  }
  EXPECT_EQ(plan_memory(input).runs_at_once, 1U);
}

// As of an input of unknown length.
TEST(MemoryPlan, LetsBlocksDoubleSeveralTimesIfMoreComesThanWasGuessed) {
  MemoryPlanInput input{
      .budget_bytes = 200 << 20, .input_bytes = 1 << 30, .record_bytes = 100, .host_record_overhead = 16};
  const MemoryPlan known = plan_memory(input);
  EXPECT_EQ(known.index_step_bytes, known.index_bytes);
  input.guesses_input = true;
  const MemoryPlan guessed = plan_memory(input);
  EXPECT_EQ(guessed.run_bytes, known.run_bytes);
  EXPECT_LT(guessed.index_step_bytes, guessed.index_bytes);
}

TEST(MemoryPlan, TakesNoMemoryOfTheStoreForAPassThatIsNotAllowed) {
  MemoryPlanInput input{.budget_bytes = 300 << 20, .input_bytes = std::uint64_t{10} << 30, .record_bytes = 100};
  const MemoryPlan plan = plan_memory(input);
  EXPECT_GT(plan.index_bytes, free_index_bytes(input));
  input.key_bytes = 4;
  EXPECT_LT(plan_memory(input).merge.index_bytes, plan.merge.index_bytes) << "short keys make a smaller index";
  input.most_fan_in = 16;
  EXPECT_EQ(plan_memory(input).merge.fan_in, 16U);
  EXPECT_EQ(plan_memory(input).index_bytes, free_index_bytes(input));
}

}  // namespace
}  // namespace sortie
