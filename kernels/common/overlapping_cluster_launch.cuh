// Launches a grid as one cluster of blocks (cluster_launch.cuh) that may begin while the launch before it in the stream
// still runs (overlapping_launch.cuh). Both need compute capability 9.0; has_code_for_90() tells.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

#include "device/cuda_error.hpp"
#include "kernels/common/launch_shape.hpp"

namespace sortie::kernels {

/// Launches `kernel`, which must call await_launch_before(). Throws Error that names `name` if the launch is refused.
template <class... Parameters>
void launch_overlapping_in_cluster(void (*kernel)(Parameters...), const char* name, const LaunchShape& shape,
                                   cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {shape.grid, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 2;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

}  // namespace sortie::kernels
