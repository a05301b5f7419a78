// Sorts of pairs whose values have 16 bytes, without positions and a gather: values move with their keys. Few pairs are
// sorted in one launch by a network, or in three by samples, and many by digits. Those in between are sooner sorted
// with positions.
//
// As the functions of radix_sort.hpp: stable, nothing synchronises or allocates, arrays are aligned to 16 bytes and
// scratch is radix_sort_scratch_bytes().
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Up to so many pairs are few, and from so many on many. Measured at powers of two on an H200
/// (tools/bench/RESULTS-kernels.md).
inline constexpr std::uint64_t kFewLongValues = std::uint64_t{1} << 18;
inline constexpr std::uint64_t kManyLongValues = std::uint64_t{1} << 20;

constexpr bool moves_long_values(std::uint64_t count) { return count <= kFewLongValues || count >= kManyLongValues; }

/// Returns false, and does nothing, if other ways are faster for so many pairs, as for all that moves_long_values()
/// does not say, or the device cannot.
template <SortKey Key>
requires(sizeof(Key) == 4) bool radix_sort_long_values(Key* keys, Key* alternate_keys, uint4* values,
                                                       uint4* alternate_values, std::uint64_t count, SortOrder order,
                                                       void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
