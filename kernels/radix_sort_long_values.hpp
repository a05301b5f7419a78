// Sorts of some pairs whose values have 16 bytes, without positions and a gather: values move with their keys, in one
// launch by a network or in three by samples. More pairs, where memory is what bounds them, are sorted with positions.
//
// As the functions of radix_sort.hpp: stable, nothing synchronises or allocates, arrays are aligned to 16 bytes and
// scratch is radix_sort_scratch_bytes().
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

inline constexpr std::uint64_t kMostLongValues = std::uint64_t{1} << 19;

/// Returns false, and does nothing, if other ways are faster for so many pairs, as for all beyond kMostLongValues, or
/// the device cannot.
template <SortKey Key>
requires(sizeof(Key) == 4) bool radix_sort_long_values(Key* keys, Key* alternate_keys, uint4* values,
                                                       uint4* alternate_values, std::uint64_t count, SortOrder order,
                                                       void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
