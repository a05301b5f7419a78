// Launches with an attribute: blocks that may wait for each other, one cluster of blocks, or launches that overlap. The
// files that include this one say what each asks of a kernel.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

#include "device/cuda_error.hpp"
#include "kernels/common/launch_shape.hpp"

namespace sortie::kernels {

/// Launches `kernel` with `attribute`, or as any other if that is null. Throws Error that names `name` if the launch is
/// refused. Does not wait for the kernel.
template <class... Parameters>
void launch_with(cudaLaunchAttribute* attribute, void (*kernel)(Parameters...), const char* name,
                 const LaunchShape& shape, cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = attribute;
  config.numAttrs = attribute == nullptr ? 0 : 1;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

}  // namespace sortie::kernels
