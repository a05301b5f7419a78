// Turns CUDA's status codes into Errors that name the call and the remedy. Everything that calls the runtime wraps the
// call in check_cuda(), in every build. By CudaFaultPlan tests make calls fail.
#pragma once

#include <cstdint>
#include <mutex>

#include <cuda_runtime_api.h>

#include "base/device_error.hpp"

namespace sortie {

/// Throws unless `status` is cudaSuccess: DeviceMemoryError when memory ran out, DeviceError otherwise, with
/// `what` (the call, and sizes where they help), CUDA's text and a remedy. Clears CUDA's last error.
void check_cuda(cudaError_t status, const char* what);

/// Makes CUDA calls fail in tests, which a working GPU does not do. Nothing else installs one.
/// While it lives, checked CUDA calls are counted. Call number `first` fails, and with `from_then_on` every later one
/// too. At most one plan at a time; thread-safe.
class CudaFaultPlan {
 public:
  CudaFaultPlan(std::uint64_t first, bool from_then_on, cudaError_t status);
  ~CudaFaultPlan();
  CudaFaultPlan(const CudaFaultPlan&) = delete;
  CudaFaultPlan& operator=(const CudaFaultPlan&) = delete;

  /// Whether any call has been made to fail.
  bool has_struck() const;
  std::uint64_t calls() const;

 private:
  friend cudaError_t injected_cuda_fault();
  cudaError_t next();

  mutable std::mutex mutex_;
  std::uint64_t calls_ = 0;
  std::uint64_t first_;
  bool from_then_on_;
  cudaError_t status_;
  bool has_struck_ = false;
};

/// The status to report for a call that succeeded; cudaSuccess without a plan. Called by check_cuda().
cudaError_t injected_cuda_fault();

/// Makes a call that the caller checks itself, because it has another way, or for a longer message. Returns the call's
/// status, or the one injected in its place.
template <class Call>
cudaError_t call_or_fault(Call call) {
  const cudaError_t injected = injected_cuda_fault();
  return injected == cudaSuccess ? call() : injected;
}

}  // namespace sortie
