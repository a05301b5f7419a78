// How arrays of the host are divided among GPUs, into chunks and into windows.
#include "cuda/host/host_plan.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "cuda/host/external_plan.hpp"

namespace sortie::cuda {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(HostPlan, FindsTheMostItemsThatFit) {
  const auto bytes = [](std::uint64_t items) { return 1000 + 12 * items; };
  EXPECT_EQ(most_items(1000 + 12 * 7, 100, bytes), 7U);
  EXPECT_EQ(most_items(1000 + 12 * 7 - 1, 100, bytes), 6U);
  EXPECT_EQ(most_items(1'000'000, 100, bytes), 100U);
  EXPECT_EQ(most_items(999, 100, bytes), 0U);
  EXPECT_EQ(most_items(999, 0, bytes), 0U);
}

TEST(HostPlan, DividesAsEvenlyAsRoomsAllow) {
  EXPECT_EQ(share_by_room(100, Numbers{60, 60}, 1), (Numbers{50, 50}));
  EXPECT_EQ(share_by_room(100, Numbers{20, 200, 40}, 1), (Numbers{20, 40, 40}));
  EXPECT_EQ(share_by_room(100, Numbers{200, 20, 200}, 1), (Numbers{40, 20, 40}));
  EXPECT_EQ(share_by_room(100, Numbers{50, 50}, 1), (Numbers{50, 50}));
  EXPECT_EQ(share_by_room(100, Numbers{100}, 1), (Numbers{100}));
  EXPECT_EQ(share_by_room(7, Numbers{0, 9, 0}, 1), (Numbers{0, 7, 0}));
  EXPECT_TRUE(share_by_room(101, Numbers{50, 50}, 1).empty());
}

TEST(HostPlan, DividesFewItemsAmongFewDevices) {
  EXPECT_EQ(share_by_room(10, Numbers{100, 100, 100}, 1000), (Numbers{10, 0, 0}));
  EXPECT_EQ(share_by_room(15, Numbers{100, 100, 100}, 8), (Numbers{8, 7, 0}));
  EXPECT_EQ(share_by_room(15, Numbers{4, 100, 100}, 8), (Numbers{4, 8, 3}));
}

TEST(HostPlan, SharesOfUpToSixteenDevicesAreTheWhole) {
  for (std::size_t devices = 1; devices <= 16; ++devices) {
    Numbers rooms;
    for (std::size_t i = 0; i < devices; ++i) rooms.push_back(i * i * 37 % 101);
    const std::uint64_t room = std::accumulate(rooms.begin(), rooms.end(), std::uint64_t{0});
    for (std::uint64_t count = 0; count <= room; ++count) {
      const Numbers shares = share_by_room(count, rooms, 5);
      ASSERT_EQ(shares.size(), devices);
      EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}), count);
      for (std::size_t i = 0; i < devices; ++i) EXPECT_LE(shares[i], rooms[i]);
    }
    EXPECT_TRUE(share_by_room(room + 1, rooms, 5).empty());
  }
}

TEST(HostPlan, PiecesEndWithTheWhole) {
  EXPECT_EQ(ranks_of_pieces(10, 4), (Numbers{0, 4, 8, 10}));
  EXPECT_EQ(ranks_of_pieces(8, 4), (Numbers{0, 4, 8}));
  EXPECT_EQ(ranks_of_pieces(3, 4), (Numbers{0, 3}));
}

TEST(ExternalPlan, ChunksAndWindowsFitIntoTheirLanesAndAreTheWhole) {
  constexpr std::uint64_t kLaneBytes = std::uint64_t{256} << 20;
  for (const KeyType type : {KeyType::kUint8, KeyType::kFloat16, KeyType::kInt32, KeyType::kFloat64}) {
    for (const std::size_t value_bytes : {0, 4, 8, 3, 100}) {
      for (const std::uint64_t count : {std::uint64_t{1} << 26, (std::uint64_t{1} << 30) + 12'345}) {
        const ItemSizes items{type, value_bytes};
        const ExternalPlan plan = plan_external(items, count, kLaneBytes);
        ASSERT_NE(plan.chunk_items, 0U);
        EXPECT_EQ(std::accumulate(plan.run_counts.begin(), plan.run_counts.end(), std::uint64_t{0}), count);
        EXPECT_LE(ChunkMemory(items, plan.chunk_items).layout.size_bytes(), kLaneBytes);
        EXPECT_EQ(plan.window_ranks.front(), 0U);
        EXPECT_EQ(plan.window_ranks.back(), count);
        const auto run_count = static_cast<std::uint32_t>(plan.run_counts.size());
        for (std::size_t w = 0; w + 1 < plan.window_ranks.size(); ++w) {
          const std::uint64_t window = plan.window_ranks[w + 1] - plan.window_ranks[w];
          EXPECT_LE(WindowMemory(items, window, run_count).layout.size_bytes(), kLaneBytes);
        }
      }
    }
  }
}

TEST(ExternalPlan, SaysThatALaneIsTooSmall) {
  EXPECT_EQ(plan_external({KeyType::kUint64, 8}, std::uint64_t{1} << 30, 1 << 20).chunk_items, 0U);
}

}  // namespace
}  // namespace sortie::cuda
