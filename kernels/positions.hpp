// The positions of items, which sorts and merges of values of any size move in place of the values, and positions of 4
// bytes made those of 8. README.md says what all kernels share.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Sets positions[i] to first + i, i < count. Precondition: all of them fit.
template <SortValue Position>
void fill_positions(Position* positions, std::uint64_t count, cudaStream_t stream, Position first = 0);

/// Sets wide[i] to narrow[i], i < count.
void widen_numbers(const std::uint32_t* narrow, std::uint64_t count, std::uint64_t* wide, cudaStream_t stream);

}  // namespace sortie::kernels
