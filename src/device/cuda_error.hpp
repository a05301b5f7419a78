// Turns CUDA's status codes into Errors that name the call and the remedy. Everything that calls the
// runtime wraps the call in check_cuda(), in every build.
#pragma once

#include <cuda_runtime_api.h>

#include <sortie/error.hpp>

namespace sortie {

/// The device has no room for what was asked: a smaller --device-memory or smaller chunks may still work.
class DeviceMemoryError : public Error {
 public:
  using Error::Error;
};

/// Throws unless `status` is cudaSuccess: DeviceMemoryError when memory ran out, Error otherwise, with
/// `what` (the call, and sizes where they help), CUDA's text and a remedy. Clears CUDA's last error.
void check_cuda(cudaError_t status, const char* what);

}  // namespace sortie
