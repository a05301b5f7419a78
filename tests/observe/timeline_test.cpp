#include "observe/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "observe/observer.hpp"
#include "observe/phase_usage.hpp"

namespace sortie {
namespace {

using namespace std::chrono_literals;
using TimePoint = BusyBins::TimePoint;

constexpr TimePoint kStart{1h};

double sum(const std::vector<double>& seconds) { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

const std::vector<double>& bins_of(const std::array<std::vector<double>, kResourceCount>& bins, Resource resource) {
  return bins[static_cast<std::size_t>(resource)];
}

TEST(BusyBins, DivideAnIntervalAmongBins) {
  BusyBins bins(kStart);
  bins.add(Resource::kReading, kStart + 5us, kStart + 25us);
  const auto seconds = bins.busy_seconds();
  EXPECT_DOUBLE_EQ(bins.bin_seconds(), 10e-6);
  ASSERT_EQ(bins_of(seconds, Resource::kReading).size(), 3u);
  EXPECT_DOUBLE_EQ(bins_of(seconds, Resource::kReading)[0], 5e-6);
  EXPECT_DOUBLE_EQ(bins_of(seconds, Resource::kReading)[1], 10e-6);
  EXPECT_DOUBLE_EQ(bins_of(seconds, Resource::kReading)[2], 5e-6);
  EXPECT_TRUE(bins_of(seconds, Resource::kMerging).empty());
}

TEST(BusyBins, BecomeLongerInAnHour) {
  BusyBins bins(kStart);
  for (int second = 0; second < 3600; ++second) {
    bins.add(Resource::kSorting, kStart + std::chrono::seconds(second), kStart + std::chrono::seconds(second) + 250ms);
  }
  const auto seconds = bins.busy_seconds();
  EXPECT_LE(bins_of(seconds, Resource::kSorting).size(), BusyBins::kMostBins);
  EXPECT_GE(bins.bin_seconds() * BusyBins::kMostBins, 3599.25);
  EXPECT_NEAR(sum(bins_of(seconds, Resource::kSorting)), 900, 1e-6);
}

TEST(BusyBins, TakeNoTimeBeforeTheStart) {
  BusyBins bins(kStart);
  bins.add(Resource::kKernels, kStart - 1s, kStart + 10us);
  bins.add(Resource::kUpload, kStart - 2s, kStart - 1s);
  EXPECT_NEAR(sum(bins_of(bins.busy_seconds(), Resource::kKernels)), 10e-6, 1e-12);
  EXPECT_TRUE(bins_of(bins.busy_seconds(), Resource::kUpload).empty());
}

TEST(PhaseUsageBins, AddUpToTheReport) {
  std::mt19937 random(5);
  PhaseUsage usage("starting", kStart);
  usage.keep_bins();
  TimePoint time = kStart;
  for (int phase = 0; phase < 3; ++phase) {
    usage.begin_phase("phase", time);
    for (int i = 0; i < 20'000; ++i) {  // more than are kept as intervals
      time += std::chrono::microseconds(random() % 100);
      const auto resource = static_cast<Resource>(random() % kResourceCount);
      usage.add(resource, time - std::chrono::microseconds(random() % 150), time, 1);
    }
  }
  const auto seconds = usage.bins(time).busy_seconds();
  for (const ResourceReport& resource : usage.resources(time)) {
    EXPECT_NEAR(sum(bins_of(seconds, *resource_named(resource.name))), resource.busy_seconds, 1e-9) << resource.name;
  }
}

TEST(PhaseUsageBins, LeaveOutThreadsThatWaitForADevice) {
  PhaseUsage usage("starting", kStart);
  usage.keep_bins();
  usage.begin_phase("forming runs", kStart + 1s);
  usage.add(Resource::kSorting, kStart + 1s, kStart + 2s, 1);
  usage.add(Resource::kKernels, kStart + 1s, kStart + 2s, 1);
  usage.begin_phase("merging", kStart + 4s);
  usage.add(Resource::kMerging, kStart + 4s, kStart + 5s, 1);
  const auto seconds = usage.bins(kStart + 6s).busy_seconds();
  EXPECT_EQ(sum(bins_of(seconds, Resource::kSorting)), 0);
  EXPECT_NEAR(sum(bins_of(seconds, Resource::kMerging)), 1, 1e-9);
}

TEST(ProcessSampler, KeepsAtMostSoManySamplesAndEveryPeak) {
  ProcessSampler sampler(kStart);
  for (int second = 1; second <= 3600; ++second) {
    const TimePoint now = kStart + std::chrono::seconds(second);
    const bool is_peak = second == 1234;
    sampler.set_scratch_bytes(is_peak ? 1'000'000 : 1000);
    if (is_peak) {
      sampler.sample(now);
    } else {
      sampler.sample_if_due(now);
    }
  }
  sampler.set_scratch_bytes(7);
  sampler.sample(kStart + 3601s);
  const std::vector<Timeline::Sample> samples = sampler.samples();
  EXPECT_LE(samples.size(), ProcessSampler::kMostSamples);
  EXPECT_GE(samples.size(), ProcessSampler::kMostSamples / 3);
  EXPECT_EQ(samples.front().seconds, 0);
  EXPECT_EQ(samples.back().seconds, 3601);
  EXPECT_EQ(samples.back().scratch_bytes, 7u);
  const auto by_scratch = [](const auto& a, const auto& b) { return a.scratch_bytes < b.scratch_bytes; };
  EXPECT_EQ(std::ranges::max(samples, by_scratch).scratch_bytes, 1'000'000u);
  EXPECT_TRUE(std::ranges::is_sorted(samples, {}, &Timeline::Sample::seconds));
  EXPECT_GT(samples.front().memory_bytes, 1'000'000u);
}

TEST(ProcessSampler, PassesByUntilASampleIsDue) {
  ProcessSampler sampler(kStart);
  for (int i = 0; i < 1000; ++i) sampler.sample_if_due(kStart + std::chrono::microseconds(i));
  EXPECT_EQ(sampler.samples().size(), 1u);
  sampler.sample_if_due(kStart + 5ms);
  EXPECT_EQ(sampler.samples().size(), 2u);
}

TEST(MachineTicks, AreTheFirstLineOfTheSystemsFile) {
  const MachineTicks ticks = MachineTicks::parse("cpu  100 20 30 4000 500 6 7 8 90 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
  EXPECT_EQ(ticks.busy, 171u);
  EXPECT_EQ(ticks.all, 4671u);
  EXPECT_EQ(MachineTicks::parse("").all, 0u);
  EXPECT_EQ(MachineTicks::parse("intr 5").all, 0u);
}

TEST(ObserverTimeline, HasItsPhasesAndSamplesWithinTheSort) {
  Observer observer(ProgressMode::kNever);
  observer.keep_timeline();
  observer.begin_phase("forming runs", 0);
  { const auto span = observer.span("sort", 1); }
  observer.set_scratch_bytes(5);
  observer.begin_phase("merging", 0);
  { const auto span = observer.span("merge", 1); }
  observer.finish();
  SortReport report;
  observer.describe(report);
  double seconds = 0;
  for (const PhaseReport& phase : report.phases) seconds += phase.seconds;
  EXPECT_NEAR(seconds, report.elapsed_seconds, 1e-9);
  const Timeline timeline = observer.timeline();
  EXPECT_EQ(timeline.samples.back().scratch_bytes, 5u);
  EXPECT_DOUBLE_EQ(timeline.samples.back().seconds, report.elapsed_seconds);
  EXPECT_GE(timeline.processor_seconds(), 0);
  EXPECT_GE(timeline.machine_share, 0);
  EXPECT_LE(timeline.machine_share, 1);
  for (const ResourceReport& resource : report.resources) {
    EXPECT_NEAR(sum(bins_of(timeline.busy_seconds, *resource_named(resource.name))), resource.busy_seconds, 1e-9);
  }
}

TEST(ObserverTimeline, TakesWhatAllThreadsTell) {
  Observer observer(ProgressMode::kNever);
  observer.keep_timeline();
  observer.begin_phase("sorting", 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&observer] {
      for (std::uint64_t j = 0; j < 2000; ++j) {
        const auto span = observer.span("sort", 1);
        observer.set_scratch_bytes(j);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  observer.finish();
  SortReport report;
  observer.describe(report);
  ASSERT_EQ(report.resources.size(), 1u);
  EXPECT_NEAR(sum(bins_of(observer.timeline().busy_seconds, Resource::kSorting)), report.resources[0].busy_seconds,
              1e-9);
}

}  // namespace
}  // namespace sortie
