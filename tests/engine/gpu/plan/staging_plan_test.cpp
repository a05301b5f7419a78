#include "engine/gpu/staging/staging_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "engine/gpu/plan/plan_support.hpp"

namespace sortie::gpu {
namespace {

using namespace test;

constexpr std::uint64_t kKiB = 1 << 10;

TEST(StagingPlan, PinnedMemoryStaysWithinTheHostsShare) {
  for (const std::uint64_t host_bytes : {64 * kKiB, 1000 * kKiB, 64 * kMiB + 3, 2 * kGiB}) {
    for (const std::uint64_t record_bytes : {0, 1, 13, 100, 4096}) {
      const StagingRequest request{host_bytes, 2 * kGiB, 16 * kMiB, record_bytes};
      const std::uint64_t part_bytes = plan_part_bytes(request);
      const PiecePlan pieces = plan_pieces(request, kGiB);
      EXPECT_LE(2 * part_bytes + pieces.piece_count * pieces.piece_bytes, host_bytes) << record_bytes;
      EXPECT_GE(pieces.piece_count, 2U);
      EXPECT_GT(part_bytes, 0U);
      if (record_bytes != 0) {
        EXPECT_EQ(part_bytes % record_bytes, 0U);
        EXPECT_EQ(pieces.piece_bytes % record_bytes, 0U);
        EXPECT_GT(pieces.piece_bytes, 0U);
      }
    }
  }
}

TEST(StagingPlan, AmpleMemoryGivesPiecesOfFullSize) {
  const StagingRequest request{kGiB, 100 * kGiB, 16 * kMiB, 0};
  EXPECT_EQ(plan_part_bytes(request), 16 * kMiB);
  EXPECT_EQ(plan_pieces(request, kGiB).piece_bytes, kMaxPieceBytes);
  EXPECT_EQ(plan_pieces(request, kGiB).piece_count, 8U);
  EXPECT_EQ(plan_pieces(request, kMiB).piece_bytes, kMiB);
}

TEST(StagingPlan, RecordLongerThanTheBuffersIsRefusedWithTheRemedy) {
  const StagingRequest request{1000, kGiB, 100, 126};
  EXPECT_THROW(plan_part_bytes(request), Error);
  try {
    plan_pieces(request, kGiB);
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("raise the memory budget"));
  }
}

TEST(StagingPlan, PartsOfTwoWindowsFitTheBudget) {
  for (const std::uint64_t record_bytes : {0, 1, 4, 100, 5'000}) {
    for (std::uint64_t host_bytes = 64 << 10; host_bytes <= 256 * kMiB; host_bytes = host_bytes * 3 + 7) {
      const StagingRequest request{host_bytes, 1024 * kMiB, 64 * kMiB, record_bytes};
      const std::uint64_t part_bytes = plan_window_part_bytes(request);
      EXPECT_LE(4 * part_bytes, host_bytes) << record_bytes;
      EXPECT_LE(part_bytes, 64 * kMiB);
      if (record_bytes > 0) {
        EXPECT_EQ(part_bytes % record_bytes, 0U);
      }
    }
  }
  EXPECT_EQ(plan_window_part_bytes({1024 * kMiB, 160 * kMiB, 64 * kMiB, 0}), 10 * kMiB);
  EXPECT_THROW(plan_window_part_bytes({1000, kMiB, kMiB, 500}), Error);
}

}  // namespace
}  // namespace sortie::gpu
