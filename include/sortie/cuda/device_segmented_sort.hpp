// Sorts of many segments of an array in device memory, each by itself, all at once: of any lengths, or all of one.
//
// Batcher, "Sorting Networks and their Applications", 1968, for short segments and rows; Adinets and Merrill,
// "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022, for long ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// Segments of an array: segment s is items [offsets[s], offsets[s + 1]). Any may be empty; together they are all
/// items. If offsets descend, or go beyond the items, it is undefined what the arrays hold afterwards; nothing outside
/// the arrays and the scratch is read or written.
struct Segments {
  const std::uint64_t* offsets = nullptr;  ///< segment_count + 1 of them, from 0 on, ascending; in device memory
  std::uint32_t segment_count = 0;
};

/// Scratch for segmented_sort(). Keys of 32 and 64 bits: the keys and the values once more, up to 7 bytes an item, with
/// values of sizes other than 4 and 8 bytes 8 bytes an item more, and less than 40 MB. Keys of fewer bits, and more
/// than 2^32 keys of 32 bits: 16 bytes an item, what radix_sort() takes for the values, and less than 40 MB.
std::size_t segmented_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Sorts each segment in place, and values with their keys. Stable. Keys are of all types, floats in total order or by
/// value, aligned as their type; values as radix_sort() takes them. There may be any count of keys of up to 32 bits,
/// and fewer than 2^32 of 64 bits. Segments of up to some thousand keys of 32 and 64 bits are read and written once: a
/// few threads, a warp or a block sort each. Longer ones are sorted together, by all blocks, in a pass per 8 bits in
/// which keys of a segment differ. Which segment is sorted how is found on the device. Keys of fewer bits are sorted
/// behind the number of their segment, once, by radix_sort_by_bits(). device_arrays.hpp says what all calls share.
Status segmented_sort(Keys keys, Values values, std::uint64_t count, const Segments& segments, Order order,
                      Scratch scratch, cudaStream_t stream) noexcept;

/// Rows of an array, side by side, all of one length.
struct Rows {
  std::uint64_t row_count = 0;  ///< less than 2^32
  std::uint64_t row_items = 0;
};

/// Rows of up to so many items are sorted in one launch, without scratch.
inline constexpr std::uint64_t kMostItemsOfShortRow = 4096;

/// Scratch for sort_rows(): 0 for short rows, else what segmented_sort() takes and 8 bytes a row.
std::size_t sort_rows_scratch_bytes(KeyType key_type, std::size_t place_bytes, const Rows& rows) noexcept;

/// Copies keys to `sorted_keys` and sorts each row there. places[i] is set to where in its row sorted item i was; pass
/// Positions(nullptr, 0) if places are not wanted. Stable with places; without them floats by value in short rows are
/// as those of radix_sort(). `sorted_keys` may be the keys themselves if there are no places, and null if rows are
/// short and only places are wanted; else they lie apart. Keys are of all types. Arrays are aligned as their types, but
/// places to 16 bytes where rows are not short. A short row is read and written once, by a few threads, a warp or a
/// block. device_arrays.hpp says what all calls share.
Status sort_rows(ConstKeys keys, Keys sorted_keys, Positions places, const Rows& rows, Order order, Scratch scratch,
                 cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
