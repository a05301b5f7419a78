// Turns CUDA's status codes into Errors that name the call and the remedy. Everything that calls the
// runtime wraps the call in check_cuda(), in every build.
#pragma once

#include <cuda_runtime_api.h>

#include "base/device_error.hpp"

namespace sortie {

/// Throws unless `status` is cudaSuccess: DeviceMemoryError when memory ran out, DeviceError otherwise, with
/// `what` (the call, and sizes where they help), CUDA's text and a remedy. Clears CUDA's last error.
void check_cuda(cudaError_t status, const char* what);

}  // namespace sortie
