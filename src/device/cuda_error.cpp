#include "device/cuda_error.hpp"

#include <string>

#include "device/cuda_fault.hpp"

namespace sortie {
namespace {

const char* remedy(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "lower the ceiling on device memory, free memory on the GPU, or use the CPU engine";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
      return "install or update the NVIDIA driver, or use the CPU engine";
    case cudaErrorInvalidDevice:
      return "choose another GPU";
    case cudaErrorNoKernelImageForDevice:
      return "this GPU is not supported; use the CPU engine";
    default:
      return "try the CPU engine";
  }
}

}  // namespace

void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) status = injected_cuda_fault();
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  const std::string message = std::string("GPU: ") + what + " failed: " + cudaGetErrorString(status) + " (" +
                              cudaGetErrorName(status) + "); " + remedy(status);
  if (status == cudaErrorMemoryAllocation) throw DeviceMemoryError(message, Remedy::kCpuEngine);
  throw DeviceError(message, status == cudaErrorInvalidDevice ? Remedy::kOther : Remedy::kCpuEngine);
}

}  // namespace sortie
