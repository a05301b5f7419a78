// Bitonic sort in place. It needs no scratch, no alternate arrays and few launches. It is the quick path for short
// inputs, where a radix sort spends most of its time on the launches of its many passes: up to 2^13 items, and
// 2^14 keys alone or pairs of 4 and 4 bytes, are sorted in one launch, by a cluster of blocks where the device has
// clusters. Its O(n log² n) work makes it lose on long inputs.
// Batcher, "Sorting networks and their applications", 1968, in the form whose comparators all point up (each merge
// starts with a mirrored step), so that any length sorts as if padded with infinities.
//
// Keys are ordered as by the radix sort, and come back bit for bit. Equal keys are ordered by value, lowest first,
// even if the keys descend. So the result depends on the items alone, not on their order before. It equals that of a
// stable sort, in either direction, if the values of equal keys ascend in the input, as positions of items do.
//
// Does not synchronise or allocate. Values follow their keys. The arrays must not overlap. Pointers are to device
// memory, arrays aligned as their types. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

template <SortKey Key>
void bitonic_sort_keys(Key* keys, std::uint64_t count, SortOrder order, cudaStream_t stream);
template <SortKey Key, SortValue Value>
void bitonic_sort_pairs(Key* keys, Value* values, std::uint64_t count, SortOrder order, cudaStream_t stream);

/// The same in ascending order.
template <SortKey Key>
void bitonic_sort_keys(Key* keys, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort_keys(keys, count, SortOrder::kAscending, stream);
}
template <SortKey Key, SortValue Value>
void bitonic_sort_pairs(Key* keys, Value* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort_pairs(keys, values, count, SortOrder::kAscending, stream);
}

}  // namespace sortie::kernels
