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

/// Scratch for segmented_sort(). Keys of up to 32 bits: 16 bytes an item, what radix_sort() takes for the values, and
/// less than 40 MB. Of 64 bits: the keys twice, the keys or the values once more, whichever are larger, 16 bytes an
/// item, and less than 40 MB.
std::size_t segmented_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Sorts each segment in place, and values with their keys. Stable. Keys are of all types, aligned as their type;
/// values as radix_sort() takes them. Keys of up to 32 bits are sorted behind the number of their segment, once, by
/// radix_sort_by_bits(), any count of them. Up to 2^32 keys of 64 bits are sorted by position: by key, then by segment;
/// keys and values are gathered in the end. So the time depends on the number of items, and hardly on that of segments.
/// Queues work in `stream` and returns: it synchronises nothing, uses no other stream, and allocates nothing but
/// scratch from an allocator, so with scratch of the caller's it can be captured into a graph. Arrays and scratch must
/// not overlap. The stream belongs to the device that is current.
Status segmented_sort(Keys keys, Values values, std::uint64_t count, const Segments& segments, Order order,
                      Scratch scratch, cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
