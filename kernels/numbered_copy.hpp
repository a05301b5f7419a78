// The first step of sorts by position: a copy of the items, and their positions, which move in their place. Argsorts
// copy keys, sorts of values of any size the values.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Copies `count` items of `item_bytes`, of any alignment, to `copied`, and sets positions[i] to i: in one launch if
/// items have 1, 2, 4, 8 or 16 bytes and are aligned as their size. Takes device pointers; `copied` and `positions` are
/// aligned to 16 bytes. Nothing synchronises or allocates. Precondition: all positions fit. Throws sortie::Error if a
/// launch is refused.
template <SortValue Position>
void copy_numbered(const void* items, std::uint64_t item_bytes, std::uint64_t count, void* copied, Position* positions,
                   cudaStream_t stream);

}  // namespace sortie::kernels
