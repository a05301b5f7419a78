// Merge sorts of arrays in device memory: of keys, and of records of fixed length by several fields or bytes. They take
// O(n log n) comparisons whatever the keys are. For numbers the radix sort is faster; this is the sort for long keys.
//
// All are stable. device_arrays.hpp says what all calls share.
//
// Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>
#include <sortie/format.hpp>

namespace sortie::cuda {

/// Scratch for merge_sort() of `count` keys with values of `value_bytes` each, 0 if there are none: a copy of keys and
/// values, and some 0.1 bytes an item, or that of radix_sort() where this is called instead.
std::size_t merge_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Sorts `count` keys of any type in place, floats in total order or by value, and their values with them. Keys of 8
/// and 16 bits, and fewer than 2^23 of any type, are sorted by radix_sort(), which has the same result.
Status merge_sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch,
                  cudaStream_t stream) noexcept;

/// The same for keys alone.
inline Status merge_sort(Keys keys, std::uint64_t count, Order order, Scratch scratch, cudaStream_t stream) noexcept {
  return merge_sort(keys, Values(), count, order, scratch, stream);
}

/// Records of fixed length, side by side, of any alignment.
struct Records {
  const void* data = nullptr;
  std::uint64_t record_bytes = 0;
  std::uint64_t count = 0;  ///< less than 2^32
};

/// Scratch for merge_sort_records(): 24 bytes a record, and some 0.1.
std::size_t merge_sort_records_scratch_bytes(std::uint64_t count) noexcept;

/// Writes the records to `sorted`, which has room for all, in the order of their fields: the first field decides, of
/// records that are equal in it the second, and so on, up to kMaxFields. Field says what may be one: bytes of any
/// number, in memcmp() order, and numbers; each ascending or descending. Records with equal fields keep their order.
/// Pairs of 8 bytes of key and 4 of position are sorted; only where the 8 bytes are equal are records read to compare
/// them. Input records stay as they are.
Status merge_sort_records(const Records& records, std::span<const Field> fields, void* sorted, Scratch scratch,
                          cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
