#include "pipeline/setup/gpu_failure.hpp"

namespace sortie {

AfterFailure after_failure(const DeviceError& error, const FailedSort& sort) {
  const bool is_full = dynamic_cast<const DeviceFullError*>(&error) != nullptr;
  if (sort.is_starting && !sort.wanted_gpu && (is_full || !sort.can_begin_anew)) return AfterFailure::kGoOnWithCpu;
  const bool is_refused = is_full && sort.wanted_gpu && sort.is_first_attempt;
  if (!sort.can_begin_anew || is_refused) return AfterFailure::kGiveUp;
  const bool ran_out = dynamic_cast<const DeviceMemoryError*>(&error) != nullptr;
  return ran_out ? AfterFailure::kBeginAnewWithLess : AfterFailure::kBeginAnewWithCpu;
}

}  // namespace sortie
