#include "kernels/gather_plan.hpp"

#include <gtest/gtest.h>

namespace sortie::kernels {
namespace {

TEST(GatherPlan, UnitDividesRecordAndAddresses) {
  EXPECT_EQ(copy_unit_bytes(100, 0x1000, 0x2000), 4U);
  EXPECT_EQ(copy_unit_bytes(64, 0x1000, 0x2000), 16U);
  EXPECT_EQ(copy_unit_bytes(64, 0x1008, 0x2000), 8U);
  EXPECT_EQ(copy_unit_bytes(64, 0x1000, 0x2002), 2U);
  EXPECT_EQ(copy_unit_bytes(7, 0x1000, 0x2000), 1U);
}

TEST(GatherPlan, MultiplicationDividesExactly) {
  for (std::uint32_t divisor = 1; divisor <= SmallDivisor::kLargestDivisor; ++divisor) {
    const SmallDivisor by = SmallDivisor::of(divisor);
    const std::uint32_t largest = SmallDivisor::kLargestDividend;
    for (const std::uint32_t multiple : {1u, 2u, 3u, 100u, largest / divisor}) {
      const std::uint32_t exact = multiple * divisor;
      for (const std::uint32_t dividend : {exact - 1, exact, exact + 1}) {
        if (dividend <= largest) {
          ASSERT_EQ(by.quotient(dividend), dividend / divisor) << dividend << " / " << divisor;
        }
      }
    }
    ASSERT_EQ(by.quotient(largest), largest / divisor);
  }
}

TEST(GatherPlan, SlotsHoldARecordWhereverItBegins) {
  for (const std::uint32_t record_bytes : {1u, 3u, 4u, 16u, 99u, 100u, 2048u}) {
    for (const unsigned piece_bytes : {1u, 2u, 4u, 8u, 16u}) {
      if (record_bytes % piece_bytes != 0) continue;
      const GatherTile tile = GatherTile::of(record_bytes, piece_bytes, 24 << 10);
      const unsigned latest_begin = kGatherUnitBytes - piece_bytes;
      EXPECT_GE(tile.slot_units * kGatherUnitBytes, latest_begin + record_bytes);
      EXPECT_LT((tile.slot_units - 1) * kGatherUnitBytes, latest_begin + record_bytes);
      EXPECT_LE(tile.slots_bytes(), 24U << 10);
      if (tile.records >= kGatherUnitBytes) {
        EXPECT_EQ(tile.records % kGatherUnitBytes, 0U);
      }
    }
  }
  EXPECT_EQ(GatherTile::of(2048, 16, 1024).records, 1U);
}

}  // namespace
}  // namespace sortie::kernels
