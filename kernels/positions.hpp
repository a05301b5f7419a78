// The positions of items, which sorts and merges of values of any size move in place of the values.
// README.md says what all kernels share.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Sets positions[i] to i, i < count. Precondition: all of them fit.
template <SortValue Position>
void fill_positions(Position* positions, std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::kernels
