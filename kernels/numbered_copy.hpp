// The first step of an argsort: a copy of the keys, which a sort may move, and the positions to move with them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Copies `count` keys of 1, 2, 4 or 8 bytes, of any alignment, to `copied`, and sets positions[i] to i, in one launch
/// if the keys are aligned as their size. Takes device pointers; `copied` is aligned to 16 bytes, as are positions.
/// Nothing synchronises or allocates. Precondition: all positions fit. Throws sortie::Error if a launch is refused.
template <SortValue Position>
void copy_numbered(const void* keys, std::size_t key_bytes, std::uint64_t count, void* copied, Position* positions,
                   cudaStream_t stream);

}  // namespace sortie::kernels
