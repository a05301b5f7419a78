// The hook by which tests make CUDA calls fail that did not: what happens then cannot be had from a GPU that
// works. Outside tests nothing installs one.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <mutex>

namespace sortie {

/// While it lives, checked CUDA calls are counted, and those from the `first` on fail, once or all of them. One at a
/// time; thread-safe.
class CudaFaultPlan {
 public:
  CudaFaultPlan(std::uint64_t first, bool from_then_on, cudaError_t status);
  ~CudaFaultPlan();
  CudaFaultPlan(const CudaFaultPlan&) = delete;
  CudaFaultPlan& operator=(const CudaFaultPlan&) = delete;

  /// Whether any call has been made to fail.
  bool has_struck() const;

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

}  // namespace sortie
