// Radix sort with decoupled look-back: the sort of chunks, and of tied items in refinement. A sample tells
// how many leading digits of 8 bits tell nearly all keys apart; one read builds the histograms of those and
// sees whether the keys are in order already; one pass moves the items per digit, least significant first;
// neighbours that the digits did not tell apart are then repaired. Where the sample misled, the sort by all
// digits follows. A digit that is the same in all keys costs nothing but an empty launch.
// Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
//
// All functions: stable, ascending by the bits [begin, end) of the key as an unsigned integer (signed
// numbers and floats: number_codec.hpp); any count, beyond 2^32 too; they do not synchronise and do not
// allocate. The result is in the primary arrays; the alternate arrays are overwritten. The four arrays
// and the scratch must not overlap. Pointers are to device memory, aligned to 16 bytes; scratch to 256.
// Errors: sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// Bits [begin, end) of a key, 0 the lowest.
struct BitRange {
  unsigned begin = 0;
  unsigned end = 0;
};

/// Scratch that any radix sort of `count` items needs: half a byte an item, at most 37 MB in all.
std::uint64_t radix_sort_scratch_bytes(std::uint64_t count);

void radix_sort_keys(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream);
void radix_sort_keys(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream);

/// Values follow their keys.
void radix_sort_pairs(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream);
void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream);
void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t* values,
                      std::uint64_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream);

}  // namespace sortie::kernels
