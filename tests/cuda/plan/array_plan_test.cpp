#include "cuda/arrays/array_plan.hpp"

#include <gtest/gtest.h>

#include "kernels/pack_sorted.hpp"

namespace sortie::cuda {
namespace {

TEST(ArrayPlan, SharesCoverTheArrayAndDifferByOneAtMost) {
  for (const std::uint64_t count : {0ULL, 1ULL, 7ULL, 1000ULL, (1ULL << 33) + 5}) {
    for (const unsigned devices : {1U, 2U, 3U, 4U, 8U}) {
      SCOPED_TRACE(std::to_string(count) + " numbers, " + std::to_string(devices) + " devices");
      const std::vector<std::uint64_t> begins = array_shares(count, devices);
      ASSERT_EQ(begins.size(), devices + 1);
      EXPECT_EQ(begins.front(), 0);
      EXPECT_EQ(begins.back(), count);
      for (unsigned d = 0; d < devices; ++d) {
        const std::uint64_t share = begins[d + 1] - begins[d];
        EXPECT_TRUE(share == count / devices || share == count / devices + 1) << share;
      }
    }
  }
}

TEST(ArrayPlan, ChunksBeginAtMultiplesOfFourAndAreAtMostSixteen) {
  for (const std::uint64_t count : {1ULL, 4'194'305ULL, 100'000'001ULL, (1ULL << 33) + 5}) {
    SCOPED_TRACE(std::to_string(count) + " numbers");
    const std::uint64_t chunk = array_chunk(count);
    EXPECT_EQ(chunk % 4, 0);
    EXPECT_LE((count + chunk - 1) / chunk, 16);
  }
}

TEST(ArrayPlan, PartsAreOfWholePackedBlocksAndAtMostThirtyTwo) {
  for (const std::uint64_t count : {1ULL, 1'048'577ULL, 100'000'001ULL, (1ULL << 33) + 5}) {
    SCOPED_TRACE(std::to_string(count) + " numbers");
    const std::uint64_t part = array_part(count);
    EXPECT_EQ(part % kernels::kPackedBlockCodes, 0);
    EXPECT_LE((count + part - 1) / part, 32);
  }
}

TEST(ArrayPlan, PartsBeginAnewInEveryShare) {
  EXPECT_EQ(array_part_ranks({0, 5, 9, 13}, 4), (std::vector<std::uint64_t>{0, 4, 5, 9, 13}));
  EXPECT_EQ(array_part_ranks({0, 3}, 4), (std::vector<std::uint64_t>{0, 3}));
}

TEST(ArrayPlan, TakesTwiceTheShareAndLittleMore) {
  const std::uint64_t count = 1 << 30;
  const std::uint64_t alone = array_device_bytes(count, 8, 1);
  EXPECT_GE(alone, 2 * 8 * count);
  EXPECT_LE(alone, 2 * 8 * count + 8 * count / 50);
  const std::uint64_t merged = array_device_bytes(count, 8, 4);
  EXPECT_GE(merged, alone + 2 * array_part(count) * 8);
  EXPECT_LE(merged, alone + 2 * array_part(count) * 8 + 8 * count / 50);
}

}  // namespace
}  // namespace sortie::cuda
