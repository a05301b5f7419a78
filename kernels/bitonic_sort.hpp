// Bitonic sort in place: no scratch, no alternate arrays, few launches. The quick path for short inputs,
// where the many passes of a radix sort are mostly launch time: up to 2^13 items are sorted in one launch, by
// a cluster of blocks where the device has clusters. O(n log² n) work makes it lose on long ones.
// Batcher, "Sorting networks and their applications", 1968, in the form whose comparators all point up
// (each merge starts with a mirrored step), so that any length sorts as if padded with infinities.
//
// Ascending. Pairs are ordered by (key, value): stable where the values are the positions of their items.
// Does not synchronise. Device pointers. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

void bitonic_sort_keys(std::uint32_t* keys, std::uint64_t count, cudaStream_t stream);
void bitonic_sort_keys(std::uint64_t* keys, std::uint64_t count, cudaStream_t stream);

void bitonic_sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::uint64_t count, cudaStream_t stream);
void bitonic_sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::uint64_t count, cudaStream_t stream);
void bitonic_sort_pairs(std::uint64_t* keys, std::uint64_t* values, std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::kernels
