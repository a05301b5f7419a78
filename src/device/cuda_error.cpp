#include "device/cuda_error.hpp"

#include <string>

#include "device/cuda_fault.hpp"

namespace sortie {
namespace {

const char* remedy(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "lower --device-memory, free memory on the GPU, or use --engine=cpu";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
      return "install or update the NVIDIA driver, or use --engine=cpu";
    case cudaErrorInvalidDevice:
      return "choose another GPU with --devices";
    case cudaErrorNoKernelImageForDevice:
      return "this GPU is not supported; use --engine=cpu";
    default:
      return "try --engine=cpu";
  }
}

}  // namespace

void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) status = injected_cuda_fault();
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  const std::string message = std::string("GPU: ") + what + " failed: " + cudaGetErrorString(status) + " (" +
                              cudaGetErrorName(status) + "); " + remedy(status);
  if (status == cudaErrorMemoryAllocation) throw DeviceMemoryError(message);
  throw DeviceError(message);
}

}  // namespace sortie
