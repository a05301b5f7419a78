// Chooses which CUDA calls of a job fail, and how: some at even distances, or every Nth with SORTIE_FAULT_STEP=N.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>

#include "device/cuda_error.hpp"

namespace sortie::test {

/// Errors that break a device for good, lack of its memory, and an error on the host's side.
inline constexpr std::array kFaultStatuses = {cudaErrorIllegalAddress, cudaErrorMemoryAllocation,
                                              cudaErrorLaunchFailure, cudaErrorHostMemoryAlreadyRegistered};

/// The number of calls that fail in a short run.
inline constexpr std::uint64_t kFaultsOfShortRun = 12;

/// The outcome of a sort with failing calls.
enum class FaultedSort { kWentOn, kBeganAnew, kRefused };

/// Calls run(plan) with one fault after another: a call fails alone, and then with all later ones. run() sorts, checks
/// the result and returns the outcome. Long runs try every status at each call, short runs use them in turn.
template <class Run>
void for_each_cuda_fault(const Run& run) {
  std::uint64_t calls = 0;
  {
    const CudaFaultPlan none(std::numeric_limits<std::uint64_t>::max(), false, cudaSuccess);
    EXPECT_EQ(run(none), FaultedSort::kWentOn);
    calls = none.calls();
  }
  const char* const wanted = std::getenv("SORTIE_FAULT_STEP");
  const std::uint64_t step =
      wanted ? std::max(1, std::atoi(wanted)) : std::max<std::uint64_t>(1, calls / kFaultsOfShortRun);
  std::array<std::uint64_t, 3> counts{};
  std::size_t turn = 0;
  for (std::uint64_t first = 1; first <= calls && !testing::Test::HasFailure(); first += step) {
    for (const bool from_then_on : {false, true}) {
      const std::size_t statuses = wanted ? kFaultStatuses.size() : 1;
      for (std::size_t i = 0; i < statuses; ++i) {
        const cudaError_t status = kFaultStatuses[turn++ % kFaultStatuses.size()];
        SCOPED_TRACE("call " + std::to_string(first) + (from_then_on ? " and all later ones: " : ": ") +
                     cudaGetErrorName(status));
        const CudaFaultPlan plan(first, from_then_on, status);
        const FaultedSort end = run(plan);
        if (plan.has_struck()) ++counts[static_cast<std::size_t>(end)];
      }
    }
  }
  std::cout << "[ faults   ] of " << calls << " calls: " << counts[0] << " went on, " << counts[1] << " began anew, "
            << counts[2] << " refused" << std::endl;
  EXPECT_GT(counts[1] + counts[2], 0U);
}

}  // namespace sortie::test
