#include "observe/phase_usage.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

PhaseUsage::TimePoint at(double seconds) {
  return PhaseUsage::TimePoint(std::chrono::milliseconds(static_cast<long>(seconds * 1000)));
}

TEST(PhaseUsage, RanksTheResourcesOfEveryPhase) {
  PhaseUsage usage("starting", at(0));
  usage.begin_phase("forming runs", at(1));
  usage.add(Resource::kReading, at(1), at(4), 300);
  usage.add(Resource::kSorting, at(4), at(5), 300);
  usage.begin_phase("merging", at(5));
  usage.add(Resource::kOutputWriting, at(5), at(9), 300);
  const auto phases = usage.phases(at(10));
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_TRUE(phases[0].resources.empty());
  EXPECT_DOUBLE_EQ(phases[1].seconds, 4);
  EXPECT_EQ(phases[1].resources.at(0).name, "reading");
  EXPECT_DOUBLE_EQ(phases[1].resources[0].share, 0.75);
  EXPECT_EQ(phases[1].resources[0].bytes, 300u);
  EXPECT_EQ(phases[1].resources.at(1).name, "sorting");
  EXPECT_DOUBLE_EQ(phases[2].resources.at(0).share, 0.8);

  const auto resources = usage.resources(at(10));
  ASSERT_EQ(resources.size(), 3u);
  EXPECT_EQ(resources[0].name, "output writing");
  EXPECT_DOUBLE_EQ(resources[0].busy_seconds, 4);
  EXPECT_DOUBLE_EQ(resources[0].share, 0.4);
}

TEST(PhaseUsage, DividesWorkThatCrossesAPhase) {
  PhaseUsage usage("starting", at(0));
  usage.begin_phase("forming runs", at(2));
  usage.begin_phase("merging", at(4));
  usage.add(Resource::kScratchWriting, at(1), at(5), 10);
  const auto phases = usage.phases(at(6));
  EXPECT_DOUBLE_EQ(phases[0].resources.at(0).busy_seconds, 1);
  EXPECT_DOUBLE_EQ(phases[1].resources.at(0).busy_seconds, 2);
  EXPECT_DOUBLE_EQ(phases[2].resources.at(0).busy_seconds, 1);
  EXPECT_EQ(phases[0].resources[0].bytes + phases[1].resources[0].bytes, 0u);
  EXPECT_EQ(phases[2].resources[0].bytes, 10u);
  EXPECT_DOUBLE_EQ(usage.resources(at(6)).at(0).busy_seconds, 4);
}

TEST(PhaseUsage, TakesWorkOfAPhaseThatIsOver) {
  PhaseUsage usage("forming runs", at(0));
  usage.begin_phase("merging", at(2));
  usage.add(Resource::kDownload, at(1), at(2), 10);
  EXPECT_DOUBLE_EQ(usage.phases(at(3))[0].resources.at(0).share, 0.5);
  EXPECT_TRUE(usage.phases(at(3))[1].resources.empty());
}

TEST(PhaseUsage, TakesHostThreadsForWaitingWhereADeviceWorks) {
  PhaseUsage usage("forming runs", at(0));
  usage.add(Resource::kSorting, at(0), at(9), 10);
  usage.add(Resource::kKernels, at(1), at(2), 10);
  usage.begin_phase("merging", at(10));
  usage.add(Resource::kMerging, at(10), at(14), 10);
  const auto resources = usage.resources(at(20));
  ASSERT_EQ(resources.size(), 2u);
  EXPECT_EQ(resources[0].name, "merging");  // on the host: no device worked in that phase
  EXPECT_EQ(resources[1].name, "kernels");
}

}  // namespace
}  // namespace sortie
