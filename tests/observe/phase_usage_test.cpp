#include "observe/phase_usage.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sortie {
namespace {

PhaseUsage::TimePoint second(double seconds) {
  return PhaseUsage::TimePoint(std::chrono::milliseconds(static_cast<long>(seconds * 1000)));
}

TEST(PhaseUsage, RanksTheResourcesOfEveryPhase) {
  PhaseUsage usage("starting", second(0));
  usage.begin_phase("forming runs", second(1));
  usage.add(Resource::kReading, second(1), second(4), 300);
  usage.add(Resource::kSorting, second(4), second(5), 300);
  usage.begin_phase("merging", second(5));
  usage.add(Resource::kOutputWriting, second(5), second(9), 300);
  const auto phases = usage.phases(second(10));
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_TRUE(phases[0].resources.empty());
  EXPECT_DOUBLE_EQ(phases[1].seconds, 4);
  EXPECT_EQ(phases[1].resources.at(0).name, "reading");
  EXPECT_DOUBLE_EQ(phases[1].resources[0].share, 0.75);
  EXPECT_EQ(phases[1].resources[0].bytes, 300u);
  EXPECT_EQ(phases[1].resources.at(1).name, "sorting");
  EXPECT_DOUBLE_EQ(phases[2].resources.at(0).share, 0.8);

  const auto resources = usage.resources(second(10));
  ASSERT_EQ(resources.size(), 3u);
  EXPECT_EQ(resources[0].name, "output writing");
  EXPECT_DOUBLE_EQ(resources[0].busy_seconds, 4);
  EXPECT_DOUBLE_EQ(resources[0].share, 0.4);
}

TEST(PhaseUsage, DividesWorkThatCrossesAPhase) {
  PhaseUsage usage("starting", second(0));
  usage.begin_phase("forming runs", second(2));
  usage.begin_phase("merging", second(4));
  usage.add(Resource::kScratchWriting, second(1), second(5), 10);
  const auto phases = usage.phases(second(6));
  EXPECT_DOUBLE_EQ(phases[0].resources.at(0).busy_seconds, 1);
  EXPECT_DOUBLE_EQ(phases[1].resources.at(0).busy_seconds, 2);
  EXPECT_DOUBLE_EQ(phases[2].resources.at(0).busy_seconds, 1);
  EXPECT_EQ(phases[0].resources[0].bytes + phases[1].resources[0].bytes, 0u);
  EXPECT_EQ(phases[2].resources[0].bytes, 10u);
  EXPECT_DOUBLE_EQ(usage.resources(second(6)).at(0).busy_seconds, 4);
}

TEST(PhaseUsage, TakesWorkOfAPhaseThatIsOver) {
  PhaseUsage usage("forming runs", second(0));
  usage.begin_phase("merging", second(2));
  usage.add(Resource::kDownload, second(1), second(2), 10);
  EXPECT_DOUBLE_EQ(usage.phases(second(3))[0].resources.at(0).share, 0.5);
  EXPECT_TRUE(usage.phases(second(3))[1].resources.empty());
}

TEST(PhaseUsage, TakesHostThreadsForWaitingWhereADeviceWorks) {
  PhaseUsage usage("forming runs", second(0));
  usage.add(Resource::kSorting, second(0), second(9), 10);
  usage.add(Resource::kKernels, second(1), second(2), 10);
  usage.begin_phase("merging", second(10));
  usage.add(Resource::kMerging, second(10), second(14), 10);
  const auto resources = usage.resources(second(20));
  ASSERT_EQ(resources.size(), 2u);
  EXPECT_EQ(resources[0].name, "merging");  // on the host, because no device worked in that phase
  EXPECT_EQ(resources[1].name, "kernels");
}

TEST(PeakMemory, GrowsWithWhatIsTouched) {
  const std::uint64_t before = peak_memory_bytes();
  std::vector<char> block(64 << 20, 'x');
  EXPECT_EQ(block.back(), 'x');
  EXPECT_GE(peak_memory_bytes(), before + (32 << 20));
}

}  // namespace
}  // namespace sortie
