// A sort of many segments of an array, each by itself. Every segment is read and written once if it has up to some
// thousand items: some threads of a warp, a warp or a block hold it. Longer ones are sorted by all blocks together, in
// tiles, in passes of a radix sort; each segment takes as many passes as it has digits in which its keys differ. Which
// segment is sorted how is found on the device.
//
// Stable. Nothing synchronises or allocates. The result is in the primary arrays; the alternate arrays are overwritten
// if there are long segments. Arrays must not overlap. Pointers are to device memory, arrays aligned as their types,
// scratch to 256. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Segment s is items [offsets[s], offsets[s + 1]); offsets ascend, and there are segment_count + 1 of them. In device
/// memory. If offsets descend or go beyond the items, it is undefined what the arrays hold afterwards; nothing outside
/// the arrays is read or written.
struct SegmentBounds {
  const std::uint64_t* offsets;
  std::uint32_t segment_count;
};

/// As many items can be sorted.
inline constexpr std::uint64_t kMostSegmentItems = (std::uint64_t{1} << 32) - 1;

/// Scratch of a segmented sort of items of these sizes; value_bytes is 0 if there are no values. Up to 7 bytes an item.
std::uint64_t segmented_sort_scratch_bytes(std::size_t key_bytes, std::size_t value_bytes, std::uint64_t count);

/// Values are null, and Value is NoValue, if there are none.
template <class Key, class Value>
void segmented_sort(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                    const SegmentBounds& bounds, SortOrder order, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
