// Merge sort in three tiers, by the number and length of the lists. Very many tiny lists are sorted by one thread
// each, in registers. Middling ones are merged by all threads of one block, in shared memory, where binary search
// tells each thread where its share begins. A few long ones are merged by many blocks each, through the sample-rank
// merge. It takes O(n log n) comparisons whatever the keys are. Use it when keys can only be compared.
// Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009.
//
// README.md says what all kernels share. There are fewer PrefixPairs than 2^32.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Scratch for a merge sort of `count` items: about 0.1 bytes an item.
std::uint64_t merge_sort_scratch_bytes(std::uint64_t count);

template <SortKey Key>
void merge_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                     cudaStream_t stream);
template <SortKey Key, SortValue Value>
void merge_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      SortOrder order, void* scratch, cudaStream_t stream);

/// Sorts pairs by ascending prefix, and equal prefixes by the records' further key words if `tie_break` is given.
void merge_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
                      const RecordKeys* tie_break, void* scratch, cudaStream_t stream);

/// The same in ascending order.
template <SortKey Key>
void merge_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, void* scratch, cudaStream_t stream) {
  merge_sort_keys(keys, alternate_keys, count, SortOrder::kAscending, scratch, stream);
}

}  // namespace sortie::kernels
