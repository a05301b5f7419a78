// Radix sort with decoupled look-back: the sort of chunks, and of tied items in refinement. A sample tells
// how many leading digits of 8 bits tell nearly all keys apart; one read builds the histograms of those and
// sees whether the keys are in order already; one pass moves the items per digit, least significant first;
// neighbours that the digits did not tell apart are then repaired. Where the sample misled, the sort by all
// digits follows. A digit that is the same in all keys costs nothing but an empty launch.
// Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
//
// All functions: stable in either direction; any count, beyond 2^32 too. They do not synchronise and do not allocate.
// Values follow their keys. The result is in the primary arrays; the alternate arrays are overwritten. Nothing
// overlaps. Pointers are to device memory, arrays aligned to 16 bytes, scratch to 256. Errors: sortie::Error if a
// launch is refused.
#pragma once

#include <concepts>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Scratch that any radix sort of `count` items needs: less than a byte an item, at most 39 MB in all.
std::uint64_t radix_sort_scratch_bytes(std::uint64_t count);

/// By the keys as the numbers that they are; floats in totalOrder: -NaN, -inf, ... -0, +0, ... +inf, +NaN.
/// Keys come back bit for bit. Unsigned keys in ascending order are the fastest, if by little: the others
/// become unsigned integers of the same order in the first pass, and themselves again in the last.
template <SortKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                     cudaStream_t stream);
template <SortKey Key, SortValue Value>
void radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      SortOrder order, void* scratch, cudaStream_t stream);

/// Bits [begin, end) of a key, 0 the lowest.
struct BitRange {
  unsigned begin = 0;
  unsigned end = 0;
};

/// Ascending by the bits `bits` of unsigned keys alone. The fewer they are, the fewer passes it takes.
template <SortKey Key>
requires std::unsigned_integral<Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, BitRange bits, void* scratch,
                     cudaStream_t stream);
template <SortKey Key, SortValue Value>
requires std::unsigned_integral<Key>
void radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      BitRange bits, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
