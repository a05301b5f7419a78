// Ranks of values in a sorted array, by which sorted arrays are divided among several GPUs.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/rows/row_order.hpp"

namespace sortie::kernels {

/// The ranks of one value in a sorted array.
struct SortedRank {
  std::uint64_t below = 0;      ///< items less than the value
  std::uint64_t not_above = 0;  ///< items less or equal
};

/// Sets ranks[i] to the ranks of values[i] in the array of `count` numbers, which is in device memory and sorted in
/// `order`; its numbers may have 1, 2, 4 or 8 bytes. Values are codes as encode_numbers() and encode_short_numbers()
/// make them; of floats by value, all of one value having one code. The device must be able to access `values` and
/// `ranks`, which may be pinned host memory. O(log count) per value. Does not synchronise or allocate. Throws
/// sortie::Error if the launch is refused.
void find_ranks(const RowOrder& order, const void* sorted, std::uint64_t count, const std::uint64_t* values,
                unsigned value_count, SortedRank* ranks, cudaStream_t stream);

}  // namespace sortie::kernels
