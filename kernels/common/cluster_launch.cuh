// Launches a grid as one cluster of blocks, which needs compute capability 9.0; has_code_for_90() tells. One block
// needs no cluster.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

#include "kernels/common/attribute_launch.cuh"
#include "kernels/common/launch.hpp"
#include "kernels/common/launch_shape.hpp"

namespace sortie::kernels {

/// Throws Error that names `name` if the launch is refused.
template <class... Parameters>
void launch_in_cluster(void (*kernel)(Parameters...), const char* name, const LaunchShape& shape, cudaStream_t stream,
                       std::type_identity_t<Parameters>... arguments) {
  constexpr std::uint64_t kUnasked = 48 * 1024;  // what every block may have
  if (shape.shared_bytes > kUnasked) allow_shared_bytes(kernel, shape.shared_bytes, name);
  launch_with({.cluster_blocks = shape.grid}, kernel, name, shape, stream, arguments...);
}

}  // namespace sortie::kernels
