#include "kernels/segmented/segmented_plan.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sortie::kernels {
namespace {

TEST(SegmentedPlan, TheSmallestTeamThatHoldsASegmentTakesIt) {
  for (unsigned count = 0; count <= kNarrowCapacity; ++count) {
    const unsigned team = narrow_team(count);
    ASSERT_LT(team, kNarrowTeamCount);
    EXPECT_GE(kNarrowTeams[team].capacity(), count);
    if (team > 0) {
      EXPECT_LT(kNarrowTeams[team - 1].capacity(), count);
    }
  }
  EXPECT_EQ(narrow_team(kNarrowCapacity + 1), kNarrowTeamCount);
  EXPECT_EQ(narrow_team(std::uint64_t{1} << 40), kNarrowTeamCount);
}

TEST(SegmentedPlan, ABatchHasOneItemAThread) {
  for (const BitonicTeam& team : kNarrowTeams) {
    EXPECT_EQ(32 % team.threads, 0U);
    EXPECT_TRUE(team.batch == 1 || team.items == 1);
  }
}

TEST(SegmentedPlan, WarpsTakeFewerSegmentsTheLongerTheyAre) {
  EXPECT_EQ(segments_per_warp(0, 1000), 32U);
  EXPECT_EQ(segments_per_warp(32 * 1000, 1000), 32U);
  EXPECT_EQ(segments_per_warp(100 * 1000, 1000), 8U);
  EXPECT_EQ(segments_per_warp(std::uint64_t{1} << 40, 2), 8U);
}

TEST(SegmentedPlan, ListsHaveRoomForAllSegmentsLongerThanACapacity) {
  EXPECT_EQ(longer_segment_limit(0, 10, 256), 0U);
  EXPECT_EQ(longer_segment_limit(256, 10, 256), 0U);
  EXPECT_EQ(longer_segment_limit(257 * 3, 10, 256), 3U);
  EXPECT_EQ(longer_segment_limit(1'000'000, 10, 256), 10U);
}

TEST(SegmentedPlan, TallyCountsGiantsAndTilesApart) {
  std::uint64_t tally = 0;
  for (const std::uint64_t tiles : {3, 1, 1'000'000}) tally += GiantTally::of_one(tiles);
  EXPECT_EQ(GiantTally::giants(tally), 3U);
  EXPECT_EQ(GiantTally::tiles(tally), 1'000'004U);
}

TEST(SegmentedPlan, EveryTileFindsItsGiant) {
  std::vector<GiantSegment> giants;
  std::vector<std::uint64_t> owners;
  for (const std::uint64_t tiles : {3, 1, 7, 2, 2, 1, 9}) {
    giants.push_back({{0, tiles * kBitonicTile - 5}, owners.size()});
    EXPECT_EQ(giants.back().tile_count(), tiles);
    owners.insert(owners.end(), tiles, giants.size() - 1);
  }
  for (std::uint64_t tile = 0; tile < owners.size(); ++tile) {
    EXPECT_EQ(giant_of_tile(giants.data(), giants.size(), tile), owners[tile]) << "tile " << tile;
  }
}

}  // namespace
}  // namespace sortie::kernels
