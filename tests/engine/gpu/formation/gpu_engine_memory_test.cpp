// How much of its GPU's memory an engine takes while others take some too.
#include <gtest/gtest.h>

#include "base/device_error.hpp"
#include "device/cuda_error.hpp"
#include "device/device_memory.hpp"
#include "engine/gpu/device_share.hpp"
#include "engine/gpu/gpu_engine.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;
/// Number of the allocating call among the CUDA calls that make an engine. The calls before it select and ask the GPU.
constexpr std::uint64_t kAllocation = 3;

GpuEngineOptions options_for(std::optional<std::uint64_t> input_bytes) {
  GpuEngineOptions options;
  options.device = list_devices().devices[0].number;
  options.workload.bytes = input_bytes;
  return options;
}

std::uint64_t taken_for(const GpuEngineOptions& options) {
  return make_gpu_engine(parse_format("gensort"), options)->device_budget_bytes();
}

TEST(GpuEngineMemory, SmallInputTakesLittle) {
  SORTIE_REQUIRE_GPU();
  EXPECT_LE(taken_for(options_for(30'000)), 1024 * kMebibyte);
}

TEST(GpuEngineMemory, PlansAgainForLessWhereTheMemoryIsTakenMeanwhile) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t wanted = taken_for(options_for(std::nullopt));
  const CudaFaultPlan fault(kAllocation, false, cudaErrorMemoryAllocation);
  const std::uint64_t taken = taken_for(options_for(std::nullopt));
  EXPECT_TRUE(fault.has_struck());
  EXPECT_LE(taken, wanted / 2 + kMebibyte);
  EXPECT_GE(taken, wanted / 4);
}

TEST(GpuEngineMemory, GivesUpIfTheDeviceNeverGivesWhatItSaysIsFree) {
  SORTIE_REQUIRE_GPU();
  const CudaFaultPlan fault(kAllocation, true, cudaErrorMemoryAllocation);
  EXPECT_THROW(taken_for(options_for(std::nullopt)), DeviceMemoryError);
}

TEST(GpuEngineMemory, TakesLessOfADeviceThatOthersHold) {
  SORTIE_REQUIRE_GPU();
  const GpuEngineOptions options = options_for(std::uint64_t{1} << 30);
  select_device(options.device);
  const std::uint64_t free_bytes = free_device_bytes();
  if (free_bytes < 4096 * kMebibyte) GTEST_SKIP() << "others use the GPU";
  EXPECT_GT(taken_for(options), 1024 * kMebibyte);
  {
    const DeviceBuffer others(free_bytes - 600 * kMebibyte);
    EXPECT_LE(taken_for(options), 400 * kMebibyte);
  }
  const DeviceBuffer others(free_bytes - 24 * kMebibyte);
  EXPECT_LE(taken_for(options), 24 * kMebibyte);
}

}  // namespace
}  // namespace sortie
