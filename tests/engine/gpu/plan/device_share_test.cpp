// How much of a GPU's memory sorts take. Needs no GPU.
#include "engine/gpu/device_share.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/device_error.hpp"
#include "device/device_info.hpp"
#include "engine/gpu/plan/plan_support.hpp"
#include "engine/gpu/staging/staging_plan.hpp"

namespace sortie::gpu {
namespace {

using namespace test;

constexpr std::uint64_t kLargeGpu = 139 * kGiB;
constexpr const char* kFormats[] = {"lines", "fixed:1", "fixed:13", "gensort", "u32", "f64"};

EngineWorkload workload_of(std::uint64_t bytes, std::uint64_t record_bytes = 75) { return {bytes, record_bytes}; }

EngineWorkload merging(std::optional<std::uint64_t> bytes) {
  EngineWorkload workload{bytes, 75};
  workload.merges_only = true;
  return workload;
}

/// The plan of a run former with a budget of `budget_bytes`.
FormationPlan plan_in(const RecordTraits& traits, std::uint64_t budget_bytes, std::uint64_t expected_bytes,
                      std::uint64_t part_bytes) {
  FormationRequest request;
  request.budget_bytes = budget_bytes;
  request.part_bytes = plan_part_bytes({kGiB, budget_bytes, part_bytes, traits.record_bytes});
  request.expected_bytes = expected_bytes;
  request.line_bytes = 56;  // three quarters of the sampled length
  request.min_slot_bytes = kMaxPieceBytes;
  return plan_formation(traits, request);
}

TEST(DeviceShare, InputOfKnownSizeTakesWhatOneRunOfItTakes) {
  for (const char* format : kFormats) {
    for (const std::uint64_t bytes : {30 * kMiB, 2 * kGiB, 20 * kGiB}) {
      SCOPED_TRACE(std::string(format) + ", " + std::to_string(bytes));
      if (format == std::string("fixed:1") && bytes > 2 * kGiB) continue;  // more records than can be numbered
      const RecordTraits traits = traits_for(format);
      const std::uint64_t taken = plan_device_bytes(traits, workload_of(bytes), 100 * kLargeGpu, 0);
      EXPECT_GT(taken, bytes);
      EXPECT_LT(taken, std::max(60 * bytes, 2 * kGiB));
      for (const std::uint64_t part_bytes : {32 << 10, 1 << 20, 128 << 20}) {
        EXPECT_EQ(plan_in(traits, taken, bytes, part_bytes).sizes.run_slots, 1U) << part_bytes;
      }
    }
  }
}

TEST(DeviceShare, LinesMayBeHalfAsLongAsIsKnown) {
  const RecordTraits lines = traits_for("lines");
  const std::uint64_t taken = plan_device_bytes(lines, workload_of(20 * kGiB, 100), kLargeGpu, 0);
  FormationRequest request;
  request.budget_bytes = taken;
  request.part_bytes = kMiB;
  request.expected_bytes = 20 * kGiB;
  request.line_bytes = 50;
  request.min_slot_bytes = kMaxPieceBytes;
  EXPECT_TRUE(holds_one_run(lines, request));
  request.line_bytes = 30;
  EXPECT_FALSE(holds_one_run(lines, request));
}

TEST(DeviceShare, LinesThatJustFitTakeOneRunAllTheSame) {
  const RecordTraits lines = traits_for("lines");
  const std::uint64_t with_room = plan_device_bytes(lines, workload_of(20 * kGiB), kLargeGpu, 0);
  const std::uint64_t just = plan_device_bytes(lines, workload_of(20 * kGiB), kLargeGpu, with_room - kGiB);
  EXPECT_GT(just, 20 * kGiB);
  EXPECT_LT(just, with_room - kGiB);
}

TEST(DeviceShare, SmallInputLeavesNearlyAllOfTheDeviceToOthers) {
  for (const char* format : kFormats) {
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{30'000}, kMiB}) {
      const std::uint64_t taken = plan_device_bytes(traits_for(format), workload_of(bytes), kLargeGpu, 0);
      EXPECT_LE(taken, kGiB) << format;
      EXPECT_GT(taken, 8 * kMiB) << format;
    }
  }
}

TEST(DeviceShare, EightSortsOfAnySizeFindRoomSideBySide) {
  // From the second sort on, 64 GB no longer fit.
  for (const auto& workload :
       {workload_of(30'000), workload_of(kGiB), workload_of(64 * kGiB), EngineWorkload{}, merging({})}) {
    std::uint64_t free_bytes = kLargeGpu;
    std::uint64_t taken = 0;
    for (int i = 0; i < 8; ++i) {
      free_bytes -= 600 * kMiB;  // taken by CUDA itself
      taken = plan_device_bytes(traits_for("gensort"), workload, free_bytes, 0);
      ASSERT_LT(taken, free_bytes) << i;
      free_bytes -= taken;
    }
    EXPECT_GE(taken, kGiB / 8) << workload.bytes.value_or(0);
    EXPECT_GT(free_bytes, kGiB);
  }
}

TEST(DeviceShare, InputThatDoesNotFitTakesAQuarter) {
  const RecordTraits gensort = traits_for("gensort");
  const std::uint64_t usable = usable_device_bytes(kLargeGpu, 0);
  EXPECT_EQ(plan_device_bytes(gensort, workload_of(500 * kGiB), kLargeGpu, 0), usable / 4);
  EXPECT_EQ(plan_device_bytes(gensort, {}, kLargeGpu, 0), usable / 4);
  EXPECT_EQ(plan_device_bytes(gensort, {}, 900 * kMiB, 0), 256 * kMiB);
  EXPECT_EQ(plan_device_bytes(gensort, {}, 300 * kMiB, 0), 150 * kMiB);
}

TEST(DeviceShare, CeilingIsTakenWhereTheSizeIsNotKnownAndNeverExceeded) {
  for (const char* format : kFormats) {
    const RecordTraits traits = traits_for(format);
    EXPECT_EQ(plan_device_bytes(traits, {}, kLargeGpu, 2 * kGiB), 2 * kGiB);
    EXPECT_EQ(plan_device_bytes(traits, workload_of(64 * kGiB), kLargeGpu, 2 * kGiB), 2 * kGiB);
    EXPECT_LE(plan_device_bytes(traits, workload_of(30'000), kLargeGpu, 300 * kMiB), 300 * kMiB);
    EXPECT_LE(plan_device_bytes(traits, merging({}), kLargeGpu, 300 * kMiB), 300 * kMiB);
    EXPECT_LE(plan_device_bytes(traits, {}, kGiB, 2 * kGiB), kGiB);
  }
}

/// Another program holds 99% of an H200, and CUDA has taken its own share too.
TEST(DeviceShare, SortsRunInWhatIsFree) {
  for (const char* format : kFormats) {
    const RecordTraits traits = traits_for(format);
    for (const std::uint64_t free_bytes : {900 * kMiB, 300 * kMiB, 60 * kMiB, 8 * kMiB}) {
      for (const auto& workload : {workload_of(30'000), workload_of(kGiB), EngineWorkload{}, merging(kGiB)}) {
        const std::uint64_t taken = plan_device_bytes(traits, workload, free_bytes, 0);
        EXPECT_LE(taken, free_bytes) << format << " in " << free_bytes;
        EXPECT_GE(taken, kMiB / 4) << format << " in " << free_bytes;
      }
    }
  }
}

TEST(DeviceShare, FullDeviceIsRefusedWithTheRemedy) {
  for (const char* format : kFormats) {
    for (const std::uint64_t free_bytes : {0, 500}) {
      try {
        plan_device_bytes(traits_for(format), workload_of(30'000), free_bytes, 0);
        FAIL() << format;
      } catch (const DeviceFullError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("free some, raise the ceiling on it, or use the CPU engine"));
      }
    }
  }
}

TEST(DeviceShare, LessThanPaysIsRefusedUnlessItHoldsTheInput) {
  EngineWorkload workload = workload_of(10 * kGiB);
  workload.least_share_bytes = 256 * kMiB;
  EXPECT_EQ(plan_device_bytes(traits_for("u32"), workload, kGiB, 0), 256 * kMiB);
  EXPECT_THROW(plan_device_bytes(traits_for("u32"), workload, 300 * kMiB, 0), DeviceFullError);
  workload.bytes = 30'000;
  EXPECT_LE(plan_device_bytes(traits_for("u32"), workload, 300 * kMiB, 0), 150 * kMiB);
}

TEST(DeviceShare, MergesTakeTwoWindowsOfTheUsualSizeOrOfTheInput) {
  for (const char* format : kFormats) {
    const RecordTraits traits = traits_for(format);
    const std::uint64_t of_large = plan_device_bytes(traits, merging({}), kLargeGpu, 0);
    EXPECT_LE(of_large, kLargeGpu / 4) << format;
    EXPECT_EQ(of_large, plan_device_bytes(traits, merging(500 * kGiB), kLargeGpu, 0)) << format;
    const std::uint64_t of_small = plan_device_bytes(traits, merging(100 * kMiB), kLargeGpu, 0);
    EXPECT_LT(of_small, of_large) << format;
    const std::uint64_t part_bytes = plan_window_part_bytes({kGiB, of_small / 2, 64 * kMiB, traits.record_bytes});
    EXPECT_GE(largest_window_bytes(traits, of_small / 2, part_bytes), 99 * kMiB) << format;
  }
}

TEST(DeviceShare, SomeIsAlwaysLeftToTheDriver) {
  EXPECT_EQ(usable_device_bytes(160 * kGiB, 0), 150 * kGiB);
  EXPECT_EQ(usable_device_bytes(2 * kGiB, 0), 2 * kGiB - 256 * kMiB);
  EXPECT_EQ(usable_device_bytes(100 * kMiB, 0), 50 * kMiB);
  EXPECT_EQ(usable_device_bytes(0, 0), 0U);
  EXPECT_EQ(usable_device_bytes(160 * kGiB, kGiB), kGiB);
}

}  // namespace
}  // namespace sortie::gpu
