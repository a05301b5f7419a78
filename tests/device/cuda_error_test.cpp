#include "device/cuda_error.hpp"

#include <gmock/gmock.h>

namespace sortie {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string message_of(cudaError_t status) {
  try {
    check_cuda(status, "cudaMemcpyAsync of 17 bytes");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(CudaError, SuccessPasses) { EXPECT_NO_THROW(check_cuda(cudaSuccess, "anything")); }

TEST(CudaError, MessageIsOneLineWithCallReasonAndRemedy) {
  EXPECT_THAT(message_of(cudaErrorLaunchFailure),
              AllOf(HasSubstr("cudaMemcpyAsync of 17 bytes"), HasSubstr(cudaGetErrorString(cudaErrorLaunchFailure)),
                    HasSubstr("the CPU engine"), Not(HasSubstr("\n"))));
}

TEST(CudaError, OutOfMemoryHasATypeOfItsOwn) {
  EXPECT_THROW(check_cuda(cudaErrorMemoryAllocation, "cudaMalloc"), DeviceMemoryError);
  EXPECT_THAT(message_of(cudaErrorMemoryAllocation), HasSubstr("lower the ceiling on device memory"));
  try {
    check_cuda(cudaErrorLaunchFailure, "kernel");
    FAIL() << "did not throw";
  } catch (const DeviceMemoryError&) {
    FAIL() << "a launch failure is not a lack of memory";
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace sortie
