// Launches that begin while the launch before them in the stream still runs: programmatic dependent launch, which GPUs
// have from compute capability 9.0 on. A row of short kernels then does not pay for the start of each. Elsewhere they
// are launches like any other.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_runtime.h>

#include "kernels/common/attribute_launch.cuh"
#include "kernels/common/launch_shape.hpp"

namespace sortie::kernels {

/// The first call of a kernel that launch_overlapping() launches. Lets the next launch begin, and waits until the one
/// before has ended and what it wrote is seen.
__device__ inline void await_launch_before() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// Launches `kernel`, which must call await_launch_before(). `overlaps`: whether it may begin before the launch before
/// it has ended; has_code_for_90() tells. Throws Error that names `name` if the launch is refused.
template <class... Parameters>
void launch_overlapping(void (*kernel)(Parameters...), const char* name, const LaunchShape& shape, bool overlaps,
                        cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  launch_with({.overlaps = overlaps}, kernel, name, shape, stream, arguments...);
}

}  // namespace sortie::kernels
