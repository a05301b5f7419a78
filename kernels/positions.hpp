// Small arrays that calls need beside their data: the positions of items, and the offsets of two lists. For sorts of
// values of any size, which move positions, and for merges of two lists.
//
// Nothing synchronises or allocates. Takes device pointers. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Sets positions[i] to i, i < count. Precondition: all of them fit.
template <SortValue Position>
void fill_positions(Position* positions, std::uint64_t count, cudaStream_t stream);

/// Sets offsets[0..3) to 0, `first_count` and `count`.
void write_two_offsets(std::uint64_t first_count, std::uint64_t count, std::uint64_t* offsets, cudaStream_t stream);

}  // namespace sortie::kernels
