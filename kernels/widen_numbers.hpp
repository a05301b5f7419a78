// Positions and offsets of 4 bytes as those of 8.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// Sets wide[i] to narrow[i], i < count. Does not synchronise or allocate. Takes device pointers. Throws sortie::Error
/// if the launch is refused.
void widen_numbers(const std::uint32_t* narrow, std::uint64_t count, std::uint64_t* wide, cudaStream_t stream);

}  // namespace sortie::kernels
