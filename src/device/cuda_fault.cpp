#include "device/cuda_fault.hpp"

#include <atomic>
#include <cassert>

namespace sortie {
namespace {

std::atomic<CudaFaultPlan*> installed_plan = nullptr;

}  // namespace

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
