// Segmented sort: sorts very many sequences, which lie side by side in one array, each by itself, in place, in one
// call. Lengths may vary freely: empty and short segments may lie beside single ones of many millions of items. The
// host knows the number of segments and of items, the device their lengths.
//
// Each segment gets a bitonic sort (bitonic_sort.hpp). Up to 256 items are sorted in the registers of a warp or of a
// part of one; up to a few thousand in the registers of a wider warp or of a block; longer ones in global memory by
// all blocks together, at O(n log² n) work (segmented/segmented_plan.hpp has the limits). Segments up to 256 items
// cost no more than the reading of their bounds and items; longer ones go through lists.
//
// The order is that of bitonic_sort.hpp: keys are ordered as by the radix sort, and equal keys by value, lowest first,
// in either direction. So the result is the same in every run. It equals that of a stable sort if the values of equal
// keys ascend in the input.
//
// Does not synchronise or allocate; makes three launches or fewer, whatever the lengths. Values follow their keys.
// Arrays must not overlap. Pointers are to device memory, arrays aligned as their types, scratch to 256 bytes. Throws
// sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Segment i is items [offsets[i], offsets[i + 1]).
struct Segments {
  const std::uint64_t* offsets = nullptr;  ///< segment_count + 1 offsets, ascending; memory that the device can read
  std::uint64_t segment_count = 0;
  std::uint64_t item_count = 0;  ///< offsets[segment_count] - offsets[0], which the host must know
};

/// Scratch for a segmented sort: about 0.11 bytes an item, and no more than 64 a segment.
std::uint64_t segmented_sort_scratch_bytes(const Segments& segments);

template <SortKey Key>
void segmented_sort_keys(Key* keys, const Segments& segments, SortOrder order, void* scratch, cudaStream_t stream);
template <SortKey Key, SortValue Value>
void segmented_sort_pairs(Key* keys, Value* values, const Segments& segments, SortOrder order, void* scratch,
                          cudaStream_t stream);

}  // namespace sortie::kernels
