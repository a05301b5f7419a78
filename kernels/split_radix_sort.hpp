// Split radix sort with list merge. Every thread sorts a list of its own by splitting it on each bit, zeros before
// ones. A warp merges its 32 lists by a parallel reduction to the smallest head. The sample-rank merge merges the
// warps' results. Bits in which all keys of a warp agree are skipped.
// Cook, "CUDA Programming", 2013, chapter 6, has the lists and their merge. README.md says what all kernels share.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Scratch for a split radix sort of `count` items: about 0.15 bytes an item.
std::uint64_t split_radix_scratch_bytes(std::uint64_t count);

template <SortKey Key>
void split_radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                           cudaStream_t stream);
template <SortKey Key, SortValue Value>
void split_radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                            SortOrder order, void* scratch, cudaStream_t stream);

/// The same in ascending order.
template <SortKey Key>
void split_radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, void* scratch, cudaStream_t stream) {
  split_radix_sort_keys(keys, alternate_keys, count, SortOrder::kAscending, scratch, stream);
}

/// Sorts pairs by ascending prefix, and by nothing else.
inline void split_radix_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
                                   void* scratch, cudaStream_t stream) {
  split_radix_sort_pairs(pairs.prefixes, alternate.prefixes, pairs.indices, alternate.indices, count,
                         SortOrder::kAscending, scratch, stream);
}

}  // namespace sortie::kernels
