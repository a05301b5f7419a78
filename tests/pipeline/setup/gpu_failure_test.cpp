#include "pipeline/setup/gpu_failure.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

struct FailureCase {
  const char* name;
  FailedSort sort;
  AfterFailure failed, ran_out, full;
};

TEST(AfterFailureOfAGpu, FollowsOneRule) {
  using enum AfterFailure;
  const FailureCase cases[] = {
      {"starting, file", {false, true, true, true}, kBeginAnewWithCpu, kBeginAnewWithLess, kGoOnWithCpu},
      {"starting, pipe or plan", {false, true, true, false}, kGoOnWithCpu, kGoOnWithCpu, kGoOnWithCpu},
      {"starting as asked, file", {true, true, true, true}, kBeginAnewWithCpu, kBeginAnewWithLess, kGiveUp},
      {"starting as asked, pipe", {true, true, true, false}, kGiveUp, kGiveUp, kGiveUp},
      {"starting anew as asked", {true, false, true, true}, kBeginAnewWithCpu, kBeginAnewWithLess, kBeginAnewWithCpu},
      {"sorting, file", {false, true, false, true}, kBeginAnewWithCpu, kBeginAnewWithLess, kBeginAnewWithCpu},
      {"sorting, pipe or output begun", {false, true, false, false}, kGiveUp, kGiveUp, kGiveUp},
      {"sorting as asked, file", {true, true, false, true}, kBeginAnewWithCpu, kBeginAnewWithLess, kGiveUp},
      {"sorting as asked, anew", {true, false, false, true}, kBeginAnewWithCpu, kBeginAnewWithLess, kBeginAnewWithCpu},
  };
  for (const FailureCase& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(after_failure(DeviceError("x"), one.sort), one.failed);
    EXPECT_EQ(after_failure(DeviceMemoryError("x"), one.sort), one.ran_out);
    EXPECT_EQ(after_failure(DeviceFullError("x"), one.sort), one.full);
  }
}

}  // namespace
}  // namespace sortie
