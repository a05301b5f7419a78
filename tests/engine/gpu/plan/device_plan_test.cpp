#include "engine/gpu/chunk/device_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include <sortie/error.hpp>

#include "engine/gpu/plan/plan_support.hpp"

namespace sortie::gpu {
namespace {

using namespace test;

FormationRequest make_request(std::uint64_t budget_bytes, std::uint64_t expected_bytes = 0) {
  FormationRequest request;
  request.budget_bytes = budget_bytes;
  request.part_bytes = std::min<std::uint64_t>(budget_bytes / 32, 16 * kMiB);
  request.expected_bytes = expected_bytes;
  request.line_bytes = 75;
  request.min_slot_bytes = budget_bytes / 1024;
  return request;
}

class DevicePlan : public testing::TestWithParam<std::tuple<const char*, std::uint64_t>> {
 protected:
  RecordTraits traits() const { return traits_for(std::get<0>(GetParam())); }
  std::uint64_t budget() const { return std::get<1>(GetParam()); }
};

TEST_P(DevicePlan, UnknownInputGetsTwoSlotsThatUseTheBudget) {
  const FormationPlan plan = plan_formation(traits(), make_request(budget()));
  EXPECT_EQ(plan.sizes.run_slots, 2U);
  const std::uint64_t taken = device_bytes(traits(), plan.sizes);
  EXPECT_LE(taken, budget());
  const bool indices_are_used_up =
      plan.sizes.slot_records == kMaxIndexedRecords || plan.sizes.slot_records == kMaxSlotLines;
  if (!indices_are_used_up) {
    EXPECT_GE(taken, budget() - budget() / 16);
  }
}

TEST_P(DevicePlan, InputThatFitsGetsOneSlotWithRoomBeyondIt) {
  const std::uint64_t expected = budget() / 64;
  const FormationPlan plan = plan_formation(traits(), make_request(budget(), expected));
  EXPECT_EQ(plan.sizes.run_slots, 1U);
  EXPECT_GT(plan.sizes.slot_bytes, expected);
  EXPECT_LE(device_bytes(traits(), plan.sizes), budget());
}

TEST_P(DevicePlan, InputLargerThanTheDeviceGetsTwoSlots) {
  const FormationPlan plan = plan_formation(traits(), make_request(budget(), 10 * budget()));
  EXPECT_EQ(plan, plan_formation(traits(), make_request(budget())));
}

TEST_P(DevicePlan, IndexedRecordsAreCountedInThirtyTwoBits) {
  const FormationPlan plan = plan_formation(traits(), make_request(budget()));
  if (!traits().numbers()) {
    EXPECT_LE(plan.sizes.slot_records, kMaxIndexedRecords);
  }
}

/// Whatever the pieces are, a chunk fits the scratch that was sized for it, and a slot its number of chunks.
TEST_P(DevicePlan, ChunksOfAnyPiecesFitTheirScratchAndNumber) {
  const FormationPlan plan = plan_formation(traits(), make_request(budget()));
  const DeviceSizes& sizes = plan.sizes;
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    std::uint64_t landed = 0;
    std::uint64_t landed_bytes = 0;
    std::uint64_t chunk_begin = 0;
    std::uint64_t chunk_begin_bytes = 0;
    std::uint64_t chunks = 0;
    while (landed < sizes.slot_records && landed_bytes < sizes.slot_bytes) {
      const std::uint64_t most = std::min({sizes.slot_records - landed, plan.max_chunk_records - (landed - chunk_begin),
                                           std::max<std::uint64_t>(plan.piece_records, 1)});
      ASSERT_GE(most, 1U);
      landed += 1 + random() % most;
      landed_bytes += std::min(1 + random() % (sizes.slot_bytes / 8 + 1), sizes.slot_bytes - landed_bytes);
      ASSERT_LE(landed - chunk_begin, sizes.chunk_records);
      if (landed - chunk_begin < plan.chunk_records && landed_bytes - chunk_begin_bytes < plan.chunk_bytes) continue;
      const std::uint64_t end = landed / kChunkAlignment * kChunkAlignment;
      if (end == chunk_begin) continue;
      chunk_begin = end;
      chunk_begin_bytes = landed_bytes;
      ++chunks;
    }
    ASSERT_LE(chunks + 1, sizes.sequence_count);
  }
}

INSTANTIATE_TEST_SUITE_P(FormatsAndBudgets, DevicePlan,
                         testing::Combine(testing::Values("lines", "fixed:1", "fixed:13", "gensort", "u32", "f64"),
                                          testing::Values(256 << 10, 3 * kMiB + 17, 2 * kGiB, 140 * kGiB)));

TEST(DevicePlanLimits, NumbersAreNotCountedInThirtyTwoBits) {
  const FormationPlan plan = plan_formation(traits_for("u32"), make_request(60 * kGiB, 20'000'000'000));
  EXPECT_EQ(plan.sizes.run_slots, 1U);
  EXPECT_GE(plan.sizes.slot_records, 5'000'000'000U);
}

/// This holds for any size of the device and for the shortest lines.
TEST(DevicePlanLimits, ChunksOfLinesAreFewEnoughToBeRefinedAtOnce) {
  for (const std::uint64_t expected_bytes : {std::uint64_t{0}, 4 * kGiB, 20 * kGiB}) {
    FormationRequest request = make_request(600 * kGiB, expected_bytes);
    request.line_bytes = 1;
    const FormationPlan plan = plan_formation(traits_for("lines"), request);
    EXPECT_GT(plan.sizes.slot_records, kernels::kMaxRefinedLines);
    EXPECT_LE(plan.sizes.chunk_records, kernels::kMaxRefinedLines);
  }
}

TEST(DevicePlanLimits, TooSmallABudgetIsRefusedWithTheRemedy) {
  for (const char* format : {"lines", "fixed:100000", "u64"}) {
    FormationRequest request = make_request(1000);
    request.part_bytes = 256;
    try {
      plan_formation(traits_for(format), request);
      FAIL() << format;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("raise the ceiling on it"));
    }
  }
}

TEST(DevicePlanLimits, ShortKeysNeedNoRefinement) {
  Format format = parse_format("fixed:100");
  format.fields = {parse_field("bytes@0:8")};
  EXPECT_FALSE(traits_of(format).key_exceeds_prefix);
  format.fields = {parse_field("bytes@0:9")};
  EXPECT_TRUE(traits_of(format).key_exceeds_prefix);
}

TEST(DevicePlanLimits, BigEndianArrayIsSortedAsRecords) {
  Format format = parse_format("u32");
  EXPECT_TRUE(traits_of(format).numbers());
  format.fields[0].byte_order = ByteOrder::kBig;
  EXPECT_FALSE(traits_of(format).numbers());
}

TEST(DevicePlanLimits, PlannedLinesAreSomewhatShorterThanSeenAndBounded) {
  EXPECT_EQ(planned_line_bytes(10'000, 100), 75U);
  EXPECT_EQ(planned_line_bytes(50, 50), 1U);
  EXPECT_EQ(planned_line_bytes(1'000'000, 1), kMaxPlannedLineBytes);
}

TEST(DevicePlan, TheLargestWindowFillsItsBudget) {
  for (const char* name : {"gensort", "fixed:12", "u32", "f64"}) {
    const RecordTraits traits = traits_of(parse_format(name));
    for (const std::uint64_t budget_bytes : {kMiB, 64 * kMiB, 1024 * kMiB}) {
      const auto bytes_for = [&](std::uint64_t window_bytes) {
        return device_bytes(traits, merge_sizes(window_bytes, window_bytes / traits.record_bytes, 16, 64 << 10));
      };
      const std::uint64_t window_bytes = largest_window_bytes(traits, budget_bytes, 64 << 10);
      EXPECT_EQ(window_bytes % traits.record_bytes, 0U) << name;
      EXPECT_LE(bytes_for(window_bytes), budget_bytes) << name;
      EXPECT_GT(bytes_for(window_bytes + window_bytes / 4), budget_bytes) << name;
    }
    EXPECT_EQ(largest_window_bytes(traits, 1000, 100), 0U) << name;
  }
  const RecordTraits lines = traits_of(parse_format("lines"));
  EXPECT_GT(largest_window_bytes(lines, 64 * kMiB, 64 << 10), 16 * kMiB);
}

}  // namespace
}  // namespace sortie::gpu
