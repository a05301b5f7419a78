// Ranks of values in a sorted array: how many of its items are less, and how many are not greater. What
// divides sorted arrays of several GPUs among them by exact rank asks this.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// The place of one value in a sorted array.
struct SortedRank {
  std::uint64_t below = 0;      ///< items less than the value
  std::uint64_t not_above = 0;  ///< items less or equal
};

/// ranks[i] of values[i] in the ascending array of `count` items, which is in device memory. `values` and `ranks`:
/// memory that the device can read and write, host memory too if it is pinned. O(log count) a value. Does not
/// synchronise or allocate. Throws sortie::Error if the launch is refused.
void find_ranks(const std::uint32_t* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
                SortedRank* ranks, cudaStream_t stream);
void find_ranks(const std::uint64_t* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
                SortedRank* ranks, cudaStream_t stream);

}  // namespace sortie::kernels
