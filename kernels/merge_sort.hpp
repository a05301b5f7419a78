// Merge sort in three tiers, by the number and length of what is merged: very many tiny lists by one thread
// each, in registers; middling ones by one block, in shared memory, where an item's place is its own index
// plus its rank in the other list; few long ones by many blocks each, through the sample-rank merge.
// O(n log n) comparisons whatever the keys are; the sort to take when comparing is all that can be done.
// Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009.
//
// All functions: stable, ascending by unsigned key (signed numbers, floats and descending order:
// number_codec.hpp); any count; pairs fewer than 2^32. They do not synchronise and do not allocate. The
// result is in the primary arrays; the alternate arrays are overwritten. Nothing overlaps. Pointers are to
// device memory, arrays aligned to 16 bytes, scratch to 256. Errors: sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"

namespace sortie::kernels {

/// Scratch for all but pairs of 32-bit keys: about 0.07 bytes an item.
std::uint64_t merge_sort_scratch_bytes(std::uint64_t count);

void merge_sort_keys(std::uint32_t* keys, std::uint32_t* alternate, std::uint64_t count, void* scratch,
                     cudaStream_t stream);
void merge_sort_keys(std::uint64_t* keys, std::uint64_t* alternate, std::uint64_t count, void* scratch,
                     cudaStream_t stream);

/// By prefix; equal prefixes by the records' further key words, if `tie_break` is given.
void merge_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
                      const RecordKeys* tie_break, void* scratch, cudaStream_t stream);

/// Scratch for pairs of 32-bit keys, which are merged as 64-bit ones: 16 bytes an item more.
std::uint64_t merge_sort_narrow_scratch_bytes(std::uint64_t count);

/// Values follow their keys.
void merge_sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::uint32_t* alternate_values, std::uint64_t count,
                      void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
