#include "pipeline/setup/engine_choice.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::uint64_t kThousandMegabytes = 1000 * kMegabyte;

bool gpu_pays(std::optional<std::uint64_t> bytes, std::uint64_t record_bytes, unsigned threads) {
  return estimate_engine_costs({bytes, record_bytes, threads}).gpu_pays();
}

/// The smallest input for which the GPU pays, in megabytes.
std::uint64_t crossover(std::uint64_t record_bytes, unsigned threads) {
  std::uint64_t megabytes = 1;
  while (!gpu_pays(megabytes * kMegabyte, record_bytes, threads)) ++megabytes;
  return megabytes;
}

TEST(EngineCost, KeepsSmallInputsOnTheCpu) {
  for (const unsigned threads : {1U, 2U, 16U, 128U}) {
    EXPECT_FALSE(gpu_pays(0, 0, threads));
    EXPECT_FALSE(gpu_pays(10 * kMegabyte, 0, threads));
    EXPECT_FALSE(gpu_pays(10 * kMegabyte, 8, threads));
  }
}

TEST(EngineCost, TakesLargeInputsToTheGpu) {
  for (const std::uint64_t record_bytes : {0, 4, 8, 100})
    EXPECT_TRUE(gpu_pays(10 * kThousandMegabytes, record_bytes, 16));
}

TEST(EngineCost, CrossesOverWhereTheMeasurementsSay) {
  // 500 MB of binary gensort took one thread 0.55 s, of u64 3.7 s; CUDA starts in 0.4 s.
  EXPECT_NEAR(static_cast<double>(crossover(100, 1)), 370, 20);
  EXPECT_NEAR(static_cast<double>(crossover(8, 1)), 50, 5);
  EXPECT_GT(crossover(100, 16), 3 * kThousandMegabytes / kMegabyte);
  EXPECT_LT(crossover(100, 16), 5 * kThousandMegabytes / kMegabyte);
}

TEST(EngineCost, CrossesOverOnceAndLaterWithMoreThreads) {
  std::uint64_t before = 0;
  for (const unsigned threads : {1U, 2U, 4U, 8U, 16U}) {
    const std::uint64_t megabytes = crossover(100, threads);
    EXPECT_GT(megabytes, before);
    EXPECT_TRUE(gpu_pays(2 * megabytes * kMegabyte, 100, threads));
    before = megabytes;
  }
}

TEST(EngineCost, TakesAPipeForAGigabyte) {
  EXPECT_TRUE(gpu_pays(std::nullopt, 0, 1));
  EXPECT_FALSE(gpu_pays(std::nullopt, 0, 16));
}

TEST(EngineCost, CountsNoThreadsAsOne) {
  EXPECT_EQ(estimate_engine_costs({kThousandMegabytes, 100, 0}).cpu_seconds,
            estimate_engine_costs({kThousandMegabytes, 100, 1}).cpu_seconds);
}

TEST(EngineCost, StartsAFurtherGpuOnlyWhereItPays) {
  const auto gpus_for = [](std::uint64_t bytes, unsigned at_hand) {
    return estimate_engine_costs({bytes, 100, 16, at_hand}).gpus;
  };
  EXPECT_EQ(gpus_for(10 * kThousandMegabytes, 4), 1U);
  EXPECT_EQ(gpus_for(25 * kThousandMegabytes, 4), 1U);  // 0.25 s of transfer are not worth a start of 0.3 s
  EXPECT_EQ(gpus_for(40 * kThousandMegabytes, 4), 2U);
  EXPECT_EQ(gpus_for(1000 * kThousandMegabytes, 4), 4U);
  EXPECT_EQ(gpus_for(1000 * kThousandMegabytes, 1), 1U);
  EXPECT_EQ(gpus_for(1000 * kThousandMegabytes, 0), 1U);
}

TEST(EngineCost, NeverCostsMoreWithMoreGpusAtHand) {
  double before = 1e9;
  for (const unsigned at_hand : {1U, 2U, 3U, 4U, 8U}) {
    const double seconds = estimate_engine_costs({200 * kThousandMegabytes, 100, 16, at_hand}).gpu_seconds;
    EXPECT_LE(seconds, before);
    before = seconds;
  }
}

TEST(EngineCost, SaysWhatItCompares) {
  EXPECT_EQ(describe(EngineCosts{2.54, 0.5}), "sorting takes about 2.5 s on the CPU, 0.5 s on a GPU");
  EXPECT_EQ(describe(EngineCosts{25.4, 1.3, 2}), "sorting takes about 25.4 s on the CPU, 1.3 s on 2 GPUs");
}

}  // namespace
}  // namespace sortie
