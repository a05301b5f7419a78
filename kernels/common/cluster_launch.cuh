// Launches a grid as one cluster of blocks, which needs compute capability 9.0; has_code_for_90() tells. One block
// needs no cluster.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

#include "device/cuda_error.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/launch_shape.hpp"

namespace sortie::kernels {

/// Throws Error that names `name` if the launch is refused.
template <class... Parameters>
void launch_in_cluster(void (*kernel)(Parameters...), const char* name, const LaunchShape& shape, cudaStream_t stream,
                       std::type_identity_t<Parameters>... arguments) {
  constexpr std::uint64_t kUnasked = 48 * 1024;  // what every block may have
  if (shape.shared_bytes > kUnasked) allow_shared_bytes(kernel, shape.shared_bytes, name);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {shape.grid, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = shape.grid > 1 ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

}  // namespace sortie::kernels
