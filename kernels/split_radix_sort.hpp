// Split radix sort with list merge: every thread sorts a list of its own by splitting it on each bit, zeros
// before ones; a warp merges its 32 lists by a parallel reduction to the smallest head; the warps' results
// are merged by the sample-rank merge. Bits in which a warp's keys agree are not split.
// Cook, "CUDA Programming", 2013, chapter 6, has the lists and their merge.
//
// All functions: stable, ascending; floats in the total order of number_codec.hpp; any count, pairs fewer
// than 2^32. They do not synchronise and do not allocate. The result is in the primary arrays; the alternate
// arrays are overwritten. Nothing overlaps. Pointers are to device memory, arrays aligned to 16 bytes, scratch
// to 256. Errors: sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"

namespace sortie::kernels {

/// About 0.07 bytes an item.
std::uint64_t split_radix_scratch_bytes(std::uint64_t count);

void split_radix_sort_keys(float* keys, float* alternate, std::uint64_t count, void* scratch, cudaStream_t stream);
void split_radix_sort_keys(std::uint32_t* keys, std::uint32_t* alternate, std::uint64_t count, void* scratch,
                           cudaStream_t stream);
void split_radix_sort_keys(std::uint64_t* keys, std::uint64_t* alternate, std::uint64_t count, void* scratch,
                           cudaStream_t stream);

/// By prefix.
void split_radix_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count, void* scratch,
                            cudaStream_t stream);

}  // namespace sortie::kernels
