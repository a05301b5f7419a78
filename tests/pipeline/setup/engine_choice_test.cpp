#include "pipeline/setup/engine_choice.hpp"

#include <algorithm>
#include <cmath>

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kGigabyte = 1'000'000'000;
constexpr unsigned kThreads = 16;

/// The access of a machine with `visible` GPUs.
GpuAccess access_to(unsigned visible) {
  return {[](const SortOptions& options, const EngineDecision& decision, const EngineWorkload&, unsigned,
             DeviceSpanSink&) { return cpu_engine(options, decision.reason); },
          visible};
}

EngineDecision decide(const SortOptions& options, std::uint64_t bytes, unsigned visible = 4) {
  return decide_engine(options, bytes, kThreads, access_to(visible));
}

SortOptions gensort_options(EngineChoice engine = EngineChoice::kAuto) {
  SortOptions options;
  options.format = parsed("gensort");
  options.engine = engine;
  return options;
}

TEST(EngineChoice, StartsNoGpuForSmallInputs) {
  EXPECT_FALSE(decide(gensort_options(), 0).gpu);
  EXPECT_FALSE(decide(gensort_options(), kGigabyte / 10).gpu);
  EXPECT_TRUE(decide(gensort_options(), 10 * kGigabyte).gpu);
}

TEST(EngineChoice, DoesAsAsked) {
  EXPECT_TRUE(decide(gensort_options(EngineChoice::kGpu), 0).gpu);
  EXPECT_FALSE(decide(gensort_options(EngineChoice::kCpu), 1000 * kGigabyte).gpu);
}

TEST(EngineChoice, TakesAsManyGpusAsPay) {
  EXPECT_EQ(decide(gensort_options(), 10 * kGigabyte).devices, (std::vector<int>{0}));
  EXPECT_EQ(decide(gensort_options(), 60 * kGigabyte).devices, (std::vector<int>{0, 1}));
  EXPECT_EQ(decide(gensort_options(EngineChoice::kGpu), 0).devices, (std::vector<int>{0}));
}

TEST(EngineChoice, TakesAllWhereThatManyPayOrTheirNumberIsNotKnown) {
  EXPECT_TRUE(decide(gensort_options(), 1000 * kGigabyte).devices.empty());
  EXPECT_TRUE(decide(gensort_options(), 10 * kGigabyte, 1).devices.empty());
  EXPECT_TRUE(decide(gensort_options(), 10 * kGigabyte, 0).devices.empty());
}

TEST(EngineChoice, TakesTheGpusAskedForWhetherTheyPayOrNot) {
  SortOptions all = gensort_options();
  all.all_devices = true;
  EXPECT_TRUE(decide(all, 10 * kGigabyte).devices.empty());
  SortOptions some = gensort_options();
  some.devices = {3, 1};
  EXPECT_EQ(decide(some, 10 * kGigabyte).devices, (std::vector<int>{3, 1}));
}

TEST(EngineChoice, ThreadsSpeedSortingUpByAPowerOfTheirNumber) {
  const auto cpu_seconds = [](unsigned threads) {
    return estimate_engine_costs({.input_bytes = kGigabyte, .record_bytes = 100, .threads = threads}).cpu_seconds;
  };
  for (const unsigned threads : {0U, 1U, 2U, 3U, 6U, 16U, 96U, 1024U}) {
    EXPECT_NEAR(cpu_seconds(1) / cpu_seconds(threads), std::pow(std::max(1U, threads), 0.8),
                0.02 * std::max(1U, threads))
        << threads;
  }
}

TEST(EngineChoice, SaysCostsInTenthsOfSeconds) {
  EXPECT_EQ(describe(EngineCosts{0.04, 12.26, 1}), "sorting takes about 0.0 s on the CPU, 12.3 s on a GPU");
  EXPECT_EQ(describe(EngineCosts{99.96, 1, 3}), "sorting takes about 100.0 s on the CPU, 1.0 s on 3 GPUs");
}

/// Counts how often it is looked at.
class WatchedMachine {
 public:
  explicit WatchedMachine(unsigned visible)
      : machine_([this, visible] {
          ++looks;
          return access_to(visible);
        }) {}

  EngineDecision decide(const SortOptions& options, std::optional<std::uint64_t> bytes, unsigned threads = kThreads) {
    return decide_engine(options, bytes, threads, machine_);
  }

  int looks = 0;

 private:
  Machine machine_;
};

TEST(EngineChoice, LooksForNoGpuIfNoNumberOfThemPays) {
  WatchedMachine machine(4);
  EXPECT_FALSE(machine.decide(gensort_options(), 100'000).gpu);
  EXPECT_FALSE(machine.decide(gensort_options(EngineChoice::kCpu), 1000 * kGigabyte).gpu);
  EXPECT_EQ(machine.looks, 0);
}

TEST(EngineChoice, LooksForGpusOnce) {
  WatchedMachine machine(4);
  EXPECT_TRUE(machine.decide(gensort_options(), 10 * kGigabyte).gpu);
  EXPECT_TRUE(machine.decide(gensort_options(EngineChoice::kGpu), 100'000).gpu);
  EXPECT_TRUE(machine.decide(gensort_options(), std::nullopt, 1).gpu);
  EXPECT_EQ(machine.looks, 1);
}

/// With so many threads one GPU never pays.
TEST(EngineChoice, LooksForGpusWhereOnlySeveralMayPay) {
  WatchedMachine machine(8);
  EXPECT_TRUE(machine.decide(gensort_options(), 1000 * kGigabyte, 256).gpu);
  EXPECT_EQ(machine.looks, 1);
}

TEST(EngineChoice, SaysWhereThereIsNoCuda) {
  EXPECT_FALSE(decide_engine(gensort_options(), 1000 * kGigabyte, kThreads, {}).gpu);
  const std::string message =
      error_of([] { decide_engine(gensort_options(EngineChoice::kGpu), 0, kThreads, GpuAccess{}); });
  EXPECT_NE(message.find("the GPU module"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie
