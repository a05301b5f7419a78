// Launches with attributes: blocks that may wait for each other, one cluster of blocks, or launches that overlap. The
// files that include this one say what each asks of a kernel.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

#include "device/cuda_error.hpp"
#include "kernels/common/launch_shape.hpp"

namespace sortie::kernels {

/// What a launch asks for beside its shape. Without any of it, it is a launch like any other.
struct LaunchAttributes {
  bool overlaps = false;        ///< see overlapping_launch.cuh
  bool runs_at_once = false;    ///< all blocks at the same time, so that they may wait for each other
  unsigned cluster_blocks = 1;  ///< see cluster_launch.cuh
};

/// Launches `kernel`. Throws Error that names `name` if the launch is refused. Does not wait for the kernel.
template <class... Parameters>
void launch_with(const LaunchAttributes& asked, void (*kernel)(Parameters...), const char* name,
                 const LaunchShape& shape, cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  cudaLaunchAttribute attributes[3]{};
  cudaLaunchConfig_t config{};
  if (asked.overlaps) {
    cudaLaunchAttribute& overlapping = attributes[config.numAttrs++];
    overlapping.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlapping.val.programmaticStreamSerializationAllowed = 1;
  }
  if (asked.runs_at_once) {
    cudaLaunchAttribute& cooperative = attributes[config.numAttrs++];
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
  }
  if (asked.cluster_blocks > 1) {
    cudaLaunchAttribute& cluster = attributes[config.numAttrs++];
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {asked.cluster_blocks, 1, 1};
  }
  config.gridDim = shape.grid;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

}  // namespace sortie::kernels
