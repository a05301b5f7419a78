// Ranks of values in a sorted array: how many of its items are less, and how many are not greater. The division of
// sorted arrays among several GPUs by exact rank uses them.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// The ranks of one value in a sorted array.
struct SortedRank {
  std::uint64_t below = 0;      ///< items less than the value
  std::uint64_t not_above = 0;  ///< items less or equal
};

/// Sets ranks[i] to the ranks of values[i] in the ascending array of `count` items, which is in device memory. The
/// device must be able to access `values` and `ranks`, which may be pinned host memory. O(log count) per value. Does
/// not synchronise or allocate. Throws sortie::Error if the launch is refused.
void find_ranks(const std::uint32_t* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
                SortedRank* ranks, cudaStream_t stream);
void find_ranks(const std::uint64_t* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
                SortedRank* ranks, cudaStream_t stream);

}  // namespace sortie::kernels
