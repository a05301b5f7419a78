// Split radix sort with list merge: every thread sorts a list of its own by splitting it on each bit, zeros
// before ones; a warp merges its 32 lists by a parallel reduction to the smallest head; the warps' results
// are merged by the sample-rank merge. Bits in which a warp's keys agree are not split.
// Cook, "CUDA Programming", 2013, chapter 6, has the lists and their merge.
//
// All functions: stable in either direction; floats in totalOrder, keys come back bit for bit; any count, beyond
// 2^32 too. They do not synchronise and do not allocate. Values follow their keys. The result is in the primary
// arrays; the alternate arrays are overwritten. Nothing overlaps. Pointers are to device memory, arrays aligned to
// 16 bytes, scratch to 256. Errors: sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// About 0.07 bytes an item.
std::uint64_t split_radix_scratch_bytes(std::uint64_t count);

template <SortKey Key>
void split_radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                           cudaStream_t stream);
template <SortKey Key, SortValue Value>
void split_radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                            SortOrder order, void* scratch, cudaStream_t stream);

/// Ascending.
template <SortKey Key>
void split_radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, void* scratch, cudaStream_t stream) {
  split_radix_sort_keys(keys, alternate_keys, count, SortOrder::kAscending, scratch, stream);
}

/// Ascending, by prefix alone.
inline void split_radix_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
                                   void* scratch, cudaStream_t stream) {
  split_radix_sort_pairs(pairs.prefixes, alternate.prefixes, pairs.indices, alternate.indices, count,
                         SortOrder::kAscending, scratch, stream);
}

}  // namespace sortie::kernels
