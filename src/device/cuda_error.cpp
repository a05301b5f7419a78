#include "device/cuda_error.hpp"

#include <atomic>
#include <cassert>
#include <string>

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

std::atomic<CudaFaultPlan*> installed_plan = nullptr;

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

CudaFaultPlan::CudaFaultPlan(std::uint64_t first, bool from_then_on, cudaError_t status)
    : first_(first), from_then_on_(from_then_on), status_(status) {
  [[maybe_unused]] CudaFaultPlan* before = installed_plan.exchange(this);
  assert(before == nullptr);
}

CudaFaultPlan::~CudaFaultPlan() { installed_plan = nullptr; }

bool CudaFaultPlan::has_struck() const {
  const std::lock_guard lock(mutex_);
  return has_struck_;
}

std::uint64_t CudaFaultPlan::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

cudaError_t CudaFaultPlan::next() {
  const std::lock_guard lock(mutex_);
  ++calls_;
  if (calls_ < first_ || (calls_ > first_ && !from_then_on_)) return cudaSuccess;
  has_struck_ = true;
  return status_;
}

cudaError_t injected_cuda_fault() {
  CudaFaultPlan* const plan = installed_plan;
  return plan == nullptr ? cudaSuccess : plan->next();
}

}  // namespace sortie
