// The hook by which tests make CUDA calls fail that did not: what happens then cannot be had from a GPU that
// works. Outside tests nothing installs one.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <mutex>

namespace sortie {

/// While it lives, CUDA calls that are checked are counted, and those from the `first` on fail, once or all of them.
/// One at a time; thread-safe.
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

/// What a call that succeeded is to have come to: cudaSuccess without a plan. Called by check_cuda().
cudaError_t injected_cuda_fault();

/// Makes a call that the caller checks itself, because there is another way, or for a longer message: what it returns,
/// or what is injected in its place.
template <class Call>
cudaError_t call_or_fault(Call call) {
  const cudaError_t injected = injected_cuda_fault();
  return injected == cudaSuccess ? call() : injected;
}

}  // namespace sortie
