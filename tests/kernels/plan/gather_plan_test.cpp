#include "kernels/records/gather_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

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

TEST(GatherPlan, SlotsOfLinesHoldThemAndDoNotOverlap) {
  std::mt19937 generator(57);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(generator() % bound); };
  for (const unsigned longest : {1u, 16u, 17u, 64u, 300u, 20'000u}) {
    for (int round = 0; round < 100; ++round) {
      std::uint32_t position = below(100);
      for (std::uint32_t line = 0; line < kBatchLines && position < kLineTileBytes; ++line) {
        const std::uint32_t bytes = std::min(1 + below(longest), kLineTileBytes - position);
        const std::uint32_t phase = below(kGatherUnitBytes);
        const std::uint32_t units = (phase + bytes + kGatherUnitBytes - 1) / kGatherUnitBytes;
        const std::uint32_t slot_end = line_slot_unit(position, line) + units;
        position += bytes;
        ASSERT_LE(slot_end, line_slot_unit(position, line + 1)) << bytes << " bytes from " << position - bytes;
        ASSERT_LT(slot_end, kLineSlotUnits);
      }
    }
  }
  EXPECT_GE(line_slot_unit(0, 0), 1U);
}

TEST(GatherPlan, LanesCopyLinesInWholeGroups) {
  for (unsigned lines = 1; lines <= kBatchLines; ++lines) {
    const unsigned lanes = lanes_per_line(lines, kBatchLines);
    ASSERT_GE(lanes, 8U);
    ASSERT_EQ(kBatchLines % lanes, 0U);
  }
  EXPECT_EQ(lanes_per_line(1, 256), 256U);
  EXPECT_EQ(lanes_per_line(150, 256), 8U);
}

TEST(GatherPlan, SplicedUnitsChangeLinesAtAnyByte) {
  constexpr std::uint32_t kWord = 0x11223344;
  constexpr std::uint32_t kLater = 0xaabbccdd;
  const std::uint32_t expected[] = {0xaabbccdd, 0xaabbcc44, 0xaabb3344, 0xaa223344, 0x11223344};
  for (unsigned from = 0; from <= kGatherUnitBytes; ++from) {
    for (unsigned index = 0; index < 4; ++index) {
      const unsigned kept = from <= 4 * index ? 0 : std::min(from - 4 * index, 4U);
      EXPECT_EQ(spliced_word(kWord, kLater, from, index), expected[kept]) << from << ", word " << index;
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
