#include "device/cuda_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sortie {
namespace {

/// One letter per checked call, all of which succeed in fact: f if the plan made it fail, m if for lack of memory, -
/// if it passed.
std::string outcomes_of_calls(int count) {
  std::string outcomes;
  for (int i = 0; i < count; ++i) {
    try {
      check_cuda(cudaSuccess, "a call");
      outcomes += '-';
    } catch (const DeviceMemoryError&) {
      outcomes += 'm';
    } catch (const DeviceError&) {
      outcomes += 'f';
    }
  }
  return outcomes;
}

TEST(CudaFault, CallsPassWithoutAPlan) { EXPECT_EQ(outcomes_of_calls(5), "-----"); }

TEST(CudaFault, OneCallFails) {
  const CudaFaultPlan plan(3, false, cudaErrorMemoryAllocation);
  EXPECT_EQ(outcomes_of_calls(2), "--");
  EXPECT_FALSE(plan.has_struck());
  EXPECT_EQ(outcomes_of_calls(3), "m--");
  EXPECT_TRUE(plan.has_struck());
}

TEST(CudaFault, AllCallsFailFromThenOnUntilThePlanIsGone) {
  {
    const CudaFaultPlan plan(2, true, cudaErrorLaunchFailure);
    EXPECT_EQ(outcomes_of_calls(5), "-ffff");
  }
  EXPECT_EQ(outcomes_of_calls(5), "-----");
}

TEST(CudaFault, RealFailuresAreNotReplaced) {
  const CudaFaultPlan plan(1, true, cudaErrorLaunchFailure);
  EXPECT_THROW(check_cuda(cudaErrorMemoryAllocation, "a call"), DeviceMemoryError);
  EXPECT_FALSE(plan.has_struck());
}

}  // namespace
}  // namespace sortie
