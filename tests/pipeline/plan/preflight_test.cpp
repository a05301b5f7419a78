#include "pipeline/plan/preflight.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sortie {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kGB = 1'000'000'000;

PreflightSpace room_of(std::uint64_t scratch_bytes, std::uint64_t output_bytes) {
  PreflightSpace room;
  room.scratch_directories = {"/scratch"};
  room.scratch_bytes = scratch_bytes;
  room.output_directory = "/target";
  room.output_bytes = output_bytes;
  return room;
}

TEST(Preflight, KnowsWhatTheCacheHolds) {
  PreflightEstimate needs;
  needs.scratch_bytes = 3 * kGB;
  needs.output_bytes = 4 * kGB;
  EXPECT_FALSE(exceeds_cache(needs, 14 * kGB));
  EXPECT_TRUE(exceeds_cache(needs, 13 * kGB));
}

TEST(Preflight, FindsNothingWhereThereIsRoom) {
  PreflightEstimate needs;
  needs.scratch_bytes = needs.least_scratch_bytes = 5 * kGB;
  needs.output_bytes = 5 * kGB;
  EXPECT_THAT(preflight(needs, room_of(5 * kGB, 5 * kGB)), IsEmpty());
}

TEST(Preflight, NothingIsNeededOfAFullDiskThatIsNotUsed) {
  EXPECT_THAT(preflight(PreflightEstimate(), room_of(0, 0)), IsEmpty());
}

TEST(Preflight, TooLittleScratchSpaceIsFatalIfItCannotShrink) {
  PreflightEstimate needs;
  needs.scratch_bytes = needs.least_scratch_bytes = 5 * kGB;
  const auto findings = preflight(needs, room_of(2 * kGB, 5 * kGB));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_TRUE(findings[0].is_fatal);
  EXPECT_EQ(findings[0].message,
            "scratch space needs 5.00 GB, and 2.00 GB are free in /scratch: free some space, choose another directory "
            "for it, or raise the memory budget");
}

TEST(Preflight, CompressedRunsMayFit) {
  PreflightEstimate needs;
  needs.scratch_bytes = needs.least_scratch_bytes = 5 * kGB;
  needs.may_compress = true;
  const auto findings = preflight(needs, room_of(2 * kGB, 5 * kGB));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_FALSE(findings[0].is_fatal);
  EXPECT_THAT(findings[0].message, HasSubstr("unless runs compress well"));
}

TEST(Preflight, AnEstimateIsNotFatal) {
  PreflightEstimate needs;
  needs.scratch_bytes = 5 * kGB;
  needs.least_scratch_bytes = kGB;
  const auto findings = preflight(needs, room_of(2 * kGB, 5 * kGB));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_FALSE(findings[0].is_fatal);
  EXPECT_THAT(findings[0].message, HasSubstr("needs 5.00 GB, and 2.00 GB are free in /scratch by estimate"));
}

TEST(Preflight, AllScratchDirectoriesAreNamed) {
  PreflightEstimate needs;
  needs.scratch_bytes = 5 * kGB;
  PreflightSpace room = room_of(2 * kGB, 0);
  room.scratch_directories.push_back("/other one");
  EXPECT_THAT(preflight(needs, room)[0].message, HasSubstr("/scratch, '/other one'"));
}

TEST(Preflight, AnOutputThatDoesNotFitIsFatal) {
  PreflightEstimate needs;
  needs.output_bytes = 5 * kGB;
  const auto findings = preflight(needs, room_of(0, 4 * kGB));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_TRUE(findings[0].is_fatal);
  EXPECT_EQ(findings[0].message,
            "the output needs 5.00 GB, and 4.00 GB are free in /target: free some space or choose another output");
}

TEST(Preflight, AStreamTakesAnyOutput) {
  PreflightEstimate needs;
  needs.output_bytes = 5 * kGB;
  PreflightSpace room = room_of(0, 0);
  room.output_directory.clear();
  EXPECT_THAT(preflight(needs, room), IsEmpty());
}

TEST(Preflight, OutputAndScratchOnOneFileSystemCountTogether) {
  PreflightEstimate needs;
  needs.output_bytes = 5 * kGB;
  needs.scratch_bytes = needs.least_scratch_bytes = 5 * kGB;
  PreflightSpace room = room_of(9 * kGB, 9 * kGB);
  EXPECT_THAT(preflight(needs, room), IsEmpty());
  room.output_is_beside_scratch = true;
  const auto findings = preflight(needs, room);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_FALSE(findings[0].is_fatal);  // enough if runs give space back as they are merged
  EXPECT_THAT(findings[0].message, HasSubstr("needs 10.0 GB, and 9.00 GB are free in /target"));
}

TEST(Preflight, EveryShortageIsNamed) {
  PreflightEstimate needs;
  needs.scratch_bytes = needs.output_bytes = kGB;
  EXPECT_THAT(preflight(needs, room_of(0, 0)), SizeIs(2));
}

}  // namespace
}  // namespace sortie
