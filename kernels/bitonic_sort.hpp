// Bitonic sort in place: no scratch, no alternate arrays, few launches. The quick path for short inputs,
// where the many passes of a radix sort are mostly launch time: up to 2^13 items are sorted in one launch, by
// a cluster of blocks where the device has clusters. O(n log² n) work makes it lose on long ones.
// Batcher, "Sorting networks and their applications", 1968, in the form whose comparators all point up
// (each merge starts with a mirrored step), so that any length sorts as if padded with infinities.
//
// Keys are ordered as by the radix sort, and come back bit for bit. Of equal keys the lower values come first, in
// descending order of the keys too: the result depends on the items alone, not on their order before, and is that
// of a stable sort in either direction if equal keys' values ascend, as the positions of the items do.
//
// Does not synchronise or allocate. Values follow their keys. Nothing overlaps. Pointers are to device memory, arrays
// aligned as their types. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

template <SortKey Key>
void bitonic_sort_keys(Key* keys, std::uint64_t count, SortOrder order, cudaStream_t stream);
template <SortKey Key, SortValue Value>
void bitonic_sort_pairs(Key* keys, Value* values, std::uint64_t count, SortOrder order, cudaStream_t stream);

/// Ascending.
template <SortKey Key>
void bitonic_sort_keys(Key* keys, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort_keys(keys, count, SortOrder::kAscending, stream);
}
template <SortKey Key, SortValue Value>
void bitonic_sort_pairs(Key* keys, Value* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort_pairs(keys, values, count, SortOrder::kAscending, stream);
}

}  // namespace sortie::kernels
