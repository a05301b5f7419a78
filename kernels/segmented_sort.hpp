// Segmented sort: very many sequences side by side in one array, each sorted by itself, in place, in one call. Any
// lengths: empty ones, short ones, and single ones of many millions of items among them. The host knows the number of
// segments and of items, the device their lengths.
//
// A bitonic sort (bitonic_sort.hpp): up to 256 items in the registers of a warp, or of a part of one; up to some
// thousand in those of a warp with more registers or of a block; longer ones in global memory by all blocks together,
// at O(n log² n) work (segmented/segmented_plan.hpp has the limits). Segments up to 256 items cost no more than their
// bounds and their items; longer ones go through lists.
//
// The order is that of bitonic_sort.hpp: keys as the radix sort orders them; of equal keys the lower values first, in
// either direction. So the result is the same in every run, and that of a stable sort where the values of
// equal keys ascend.
//
// Does not synchronise or allocate; three launches or fewer, whatever the lengths. Values follow their keys. Nothing
// overlaps. Pointers are to device memory, arrays aligned as their types, scratch to 256 bytes. Throws sortie::Error if
// a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Segment i is items [offsets[i], offsets[i + 1]).
struct Segments {
  const std::uint64_t* offsets = nullptr;  ///< segment_count + 1, ascending; memory that the device can read
  std::uint64_t segment_count = 0;
  std::uint64_t item_count = 0;  ///< of all segments, which the host must know: offsets[segment_count] - offsets[0]
};

/// About 0.11 bytes an item, and no more than 64 a segment.
std::uint64_t segmented_sort_scratch_bytes(const Segments& segments);

template <SortKey Key>
void segmented_sort_keys(Key* keys, const Segments& segments, SortOrder order, void* scratch, cudaStream_t stream);
template <SortKey Key, SortValue Value>
void segmented_sort_pairs(Key* keys, Value* values, const Segments& segments, SortOrder order, void* scratch,
                          cudaStream_t stream);

}  // namespace sortie::kernels
