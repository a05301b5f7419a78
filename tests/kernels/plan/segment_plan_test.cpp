#include "kernels/segmented/segment_plan.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sortie::kernels {
namespace {

TEST(SegmentPlan, TheSmallestTeamThatHoldsASegmentTakesIt) {
  for (unsigned count = 0; count <= kShortCapacity; ++count) {
    const unsigned team = short_team(count);
    ASSERT_LT(team, kShortTeamCount);
    EXPECT_GE(kShortTeams[team].capacity(), count);
    if (team > 0) {
      EXPECT_LT(kShortTeams[team - 1].capacity(), count);
    }
  }
  EXPECT_EQ(short_team(kShortCapacity + 1), kShortTeamCount);
  EXPECT_EQ(short_team(std::uint64_t{1} << 40), kShortTeamCount);
}

TEST(SegmentPlan, ABatchHasOneItemAThread) {
  for (const BitonicTeam& team : kShortTeams) {
    EXPECT_EQ(32 % team.threads, 0U);
    EXPECT_TRUE(team.batch == 1 || team.items == 1);
  }
}

TEST(SegmentPlan, WarpsTakeFewerSegmentsTheLongerTheyAre) {
  EXPECT_EQ(segments_per_warp(0, 1000), 32U);
  EXPECT_EQ(segments_per_warp(32 * 1000, 1000), 32U);
  EXPECT_EQ(segments_per_warp(100 * 1000, 1000), 8U);
  EXPECT_EQ(segments_per_warp(std::uint64_t{1} << 40, 2), 8U);
}

TEST(SegmentPlan, EachKindOfTeamHoldsMoreThanTheOneBefore) {
  for (const std::size_t key_bytes : {4, 8}) {
    for (const std::size_t value_bytes : {0, 4, 8}) {
      const SegmentCapacities most = segment_capacities(key_bytes, value_bytes, true);
      EXPECT_LT(kShortCapacity, most.warp);
      EXPECT_LT(most.warp, most.small_block);
      EXPECT_LT(most.small_block, most.large_block);
      const SegmentCapacities less = segment_capacities(key_bytes, value_bytes, false);
      EXPECT_EQ(less.warp, most.warp);
      EXPECT_EQ(less.large_block, most.small_block);
    }
  }
}

TEST(SegmentPlan, ListsHaveRoomForAllSegmentsLongerThanACapacity) {
  EXPECT_EQ(longer_segment_limit(0, 256), 0U);
  EXPECT_EQ(longer_segment_limit(256, 256), 0U);
  EXPECT_EQ(longer_segment_limit(257 * 3, 256), 3U);
}

TEST(SegmentPlan, TallyCountsGiantsAndTilesApart) {
  std::uint64_t tally = 0;
  for (const std::uint64_t tiles : {3, 1, 1'000'000}) tally += GiantTally::of_one(tiles);
  EXPECT_EQ(GiantTally::giants(tally), 3U);
  EXPECT_EQ(GiantTally::tiles(tally), 1'000'004U);
}

TEST(SegmentPlan, APlanHasItsDigitsFromTheLowestOn) {
  const GiantPlan plan = giant_plan(0b10110011, 3);
  EXPECT_EQ(plan.passes, 5U);
  EXPECT_EQ(plan.first_pass, 3U);
  EXPECT_EQ(plan.below, 0U);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(plan.digits[i], (std::array{0, 1, 4, 5, 7}[i]));
  EXPECT_EQ(digits_of(plan), 0b10110011U);
  EXPECT_EQ(giant_plan(0, 0).passes, 0U);
}

TEST(SegmentPlan, TheLeadingDigitsThatDifferAreCountedAndOthersUpToFour) {
  EXPECT_EQ(digits_to_count(0xff, 8), 0xf0U);
  EXPECT_EQ(digits_to_count(0b00111110, 8), 0b00111100U);
  EXPECT_EQ(digits_to_count(0b10000001, 8), 0b11100001U);
  EXPECT_EQ(digits_to_count(0, 8), 0xf0U);
  EXPECT_EQ(digits_to_count(0b0001, 4), 0b1111U);
}

TEST(SegmentPlan, LeadingDigitsComeFirstIfTheyWereCounted) {
  const GiantPlan all = settled_plan(0xf0, 0x70, 0);
  EXPECT_EQ(digits_of(all), 0x70U);
  EXPECT_EQ(all.below, 0U);
  const GiantPlan leading = settled_plan(0xf0, 0xf3, 0);
  EXPECT_EQ(digits_of(leading), 0xf0U);
  EXPECT_EQ(leading.below, 32U);
  EXPECT_EQ(leading.is_failed, 0U);
  for (const unsigned varying : {0x73U, 0x0fU, 0x01U}) EXPECT_EQ(settled_plan(0xf0, varying, 0).is_failed, 1U);
  EXPECT_EQ(settled_plan(0x3c, 0xff, 0).is_failed, 1U);
  EXPECT_EQ(settled_plan(0xff, 0xf3, 8).is_failed, 0U);
}

TEST(SegmentPlan, AWordBelongsToOnePass) {
  for (unsigned pass = 0; pass < kMostGiantPasses; ++pass) {
    for (const bool is_inclusive : {false, true}) {
      for (const std::uint32_t count : {0U, 1U, ~0U}) {
        const std::uint64_t word = GiantWord::of(pass, is_inclusive, count);
        for (unsigned other = 0; other < kMostGiantPasses; ++other) {
          EXPECT_EQ(GiantWord::is_published(word, other), other == pass);
        }
        EXPECT_EQ(GiantWord::is_inclusive(word), is_inclusive);
        EXPECT_EQ(GiantWord::count(word), count);
      }
    }
    EXPECT_FALSE(GiantWord::is_published(0, pass));
  }
}

/// Most GPUs have 99 KB for a block; beside items a tile has counts of 12 warps, and some 3 KB more.
TEST(SegmentPlan, LargeTilesOfGiantsFitIntoTheSharedMemoryOfMostGpus) {
  constexpr unsigned kRoom = 99 * 1024 - 12 * 1024 - 3 * 1024 - 1024;
  const auto bytes = []<std::size_t kKey, std::size_t kValue>() {
    return GiantTile<true, kKey, kValue>::kItems * (kKey + kValue);
  };
  EXPECT_LE((bytes.operator()<4, 0>()), kRoom);
  EXPECT_LE((bytes.operator()<4, 4>()), kRoom);
  EXPECT_LE((bytes.operator()<4, 8>()), kRoom);
  EXPECT_LE((bytes.operator()<8, 0>()), kRoom);
  EXPECT_LE((bytes.operator()<8, 4>()), kRoom);
  EXPECT_LE((bytes.operator()<8, 8>()), kRoom);
}

}  // namespace
}  // namespace sortie::kernels
