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

}  // namespace
}  // namespace sortie::kernels
