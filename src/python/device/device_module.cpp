#include "python/device/device_module.hpp"

#include <new>

#include <sortie/error.hpp>

#include "pipeline/setup/load_gpu_module.hpp"
#include "python/raise_errors.hpp"

namespace sortie::python {

const DeviceFunctions& device_functions() {
  static const LoadedGpus loaded = load_gpu_module();
  if (loaded.device_functions != nullptr) return *loaded.device_functions;
  throw Error(
      loaded.reason +
      "; install the wheel sortie-sort-cuda13 of this version, or copy the array to the host for sortie.sort()");
}

void raise_failure(cuda::StatusCode code, const DeviceMessage& message) {
  switch (code) {
    case cuda::StatusCode::kOk:
      return;
    case cuda::StatusCode::kOutOfMemory:
      throw MemoryError(message.text, Remedy::kOther);
    case cuda::StatusCode::kInvalidArgument:
    case cuda::StatusCode::kScratchTooSmall:
      raise_value_error(message.text);
    case cuda::StatusCode::kCudaError:
      throw Error(message.text);
  }
}

}  // namespace sortie::python
