// A sort of many segments of an array in device memory, each by itself, all at once, however long each is.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// Segments of an array: segment s is items [offsets[s], offsets[s + 1]). Any may be empty; together they are all
/// items.
struct Segments {
  const std::uint64_t* offsets = nullptr;  ///< segment_count + 1 of them, from 0 on, ascending; in device memory
  std::uint32_t segment_count = 0;
};

/// Scratch for segmented_sort(): all keys twice, all keys or values, whichever are larger, 16 bytes an item at most,
/// and less than 40 MB.
std::size_t segmented_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Sorts each segment in place, and values with their keys. Stable. Keys are of all types, values of any size and
/// alignment; up to 2^32 items. The positions of all items are sorted by key, then by segment, both by radix_sort(),
/// and keys and values are gathered once: so the time depends on the number of items, and hardly on that of segments.
/// Queues work in `stream` and returns: it synchronises nothing, uses no other stream, and allocates nothing but
/// scratch from an allocator, so with scratch of the caller's it can be captured into a graph. Arrays and scratch must
/// not overlap. The stream belongs to the device that is current.
Status segmented_sort(Keys keys, Values values, std::uint64_t count, const Segments& segments, Order order,
                      Scratch scratch, cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
