// The functions on arrays in device memory that the GPU engine's module, libsortie_gpu.so, gives to programs that know
// CUDA's numbers but not its headers: the Python package. They are those of include/sortie/cuda, with what a caller
// needs around them: memory, copies, waits of streams.
//
// Signatures are plain: what they take has the sizes that kGpuModuleLayout counts. Each function works on the device of
// its DeviceCall, and leaves the one that was current. None throws, none waits for the device but release_memory(),
// synchronize(), unique() and combine_sets().
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie {

/// Where a call works.
struct DeviceCall {
  int device;     ///< CUDA's number
  void* stream;   ///< a cudaStream_t of the device
  void* scratch;  ///< aligned to 256 bytes; null where a function needs none
  std::size_t scratch_bytes;
};

/// What a call that failed says: one line that ends with a zero.
struct DeviceMessage {
  char text[512];
};

/// Keys to be sorted, and values that go with them.
struct DeviceSort {
  const void* source;  ///< where the keys are
  void* keys;          ///< where they are in order; may be the same
  cuda::KeyType key_type;
  cuda::Order order;
  std::size_t value_bytes;  ///< of each value; 0: none
  void* values;
  std::uint64_t count;
};

/// Keys of which each segment is sorted by itself.
struct DeviceSegmentedSort {
  DeviceSort items;
  const std::uint64_t* offsets;  ///< segment_count + 1
  std::uint32_t segment_count;
};

/// Rows, side by side, of which each is sorted by itself.
struct DeviceRowSort {
  DeviceSort items;         ///< values are null, or become the places of items in their rows, of 8 bytes
  std::uint64_t row_items;  ///< of each row; not 0
};

/// Rows that are put into another order.
struct DeviceGather {
  const void* source;
  void* target;
  std::size_t row_bytes;
};

/// Items, sorted if they are a list of a merge or a set operation.
struct DeviceItems {
  const void* keys;
  const void* values;
  std::uint64_t count;
};

/// Sorted lists to be merged into arrays that have room for all.
struct DeviceMerge {
  const DeviceItems* lists;  ///< in the memory of the host
  std::uint32_t list_count;
  cuda::KeyType key_type;
  cuda::Order order;
  std::size_t value_bytes;
  void* keys;
  void* values;
};

/// What is kept of two sorted lists, for arrays that have room for all that may be.
struct DeviceSetOperation {
  cuda::SetOperation operation;
  cuda::KeyType key_type;
  cuda::Order order;
  std::size_t value_bytes;
  DeviceItems first;
  DeviceItems second;
  void* keys;
  void* values;
};

/// The keys that come first in order.
struct DeviceTop {
  const void* keys;
  cuda::KeyType key_type;
  cuda::Order order;
  std::uint64_t count;
  std::uint64_t top_count;
  void* top_keys;
  std::uint64_t* top_positions;
};

/// One key of each row.
struct DeviceColumn {
  const void* keys;
  cuda::KeyType key_type;
  cuda::Order order;
};

/// Rows to be ordered by columns, the first one deciding first.
struct DeviceRows {
  const DeviceColumn* columns;  ///< in the memory of the host
  std::size_t column_count;
  std::uint64_t count;
};

/// Strings to be ordered by their bytes: string i is bytes [offsets[i], offsets[i + 1]).
struct DeviceStrings {
  const void* bytes;
  const void* offsets;
  std::size_t offset_bytes;  ///< of each offset: 4 or 8
  std::uint64_t count;
  cuda::Order order;
};

/// One item of each key, in ascending order.
struct DeviceUnique {
  DeviceItems items;  ///< in any order
  cuda::KeyType key_type;
  cuda::Keep keep;
  std::size_t value_bytes;
  void* unique_keys;  ///< room for all
  void* unique_values;
};

/// Where memory lies.
struct DevicePlace {
  bool is_on_device;
  int device;
};

struct DeviceFunctions {
  using Code = cuda::StatusCode;

  std::size_t (*sort_scratch_bytes)(cuda::KeyType type, std::size_t value_bytes, std::uint64_t count);
  /// Sorts keys, and values with them, which are in place. Here and below sources are aligned as their types.
  Code (*sort)(const DeviceSort& sort, const DeviceCall& call, DeviceMessage& message);
  std::size_t (*sort_with_positions_scratch_bytes)(cuda::KeyType type, std::size_t position_bytes, std::uint64_t count);
  /// Sorts keys to another place, and sets values, of 4 or 8 bytes, to where they were.
  Code (*sort_with_positions)(const DeviceSort& sort, const DeviceCall& call, DeviceMessage& message);

  std::size_t (*argsort_scratch_bytes)(cuda::KeyType type, std::size_t position_bytes, std::uint64_t count);
  /// Sets values, of 4 or 8 bytes, to the positions of the keys in order. Keys are only read.
  Code (*argsort)(const DeviceSort& sort, const DeviceCall& call, DeviceMessage& message);
  /// Puts `row_count` rows of several arrays into the order of positions.
  Code (*gather)(const std::uint32_t* positions, std::uint64_t row_count, const DeviceGather* arrays,
                 std::size_t array_count, const DeviceCall& call, DeviceMessage& message);

  /// 0 for short rows: then the keys may be null, and are not wanted.
  std::size_t (*row_sort_scratch_bytes)(const DeviceRowSort& sort);
  Code (*sort_rows)(const DeviceRowSort& sort, const DeviceCall& call, DeviceMessage& message);

  std::size_t (*segmented_sort_scratch_bytes)(cuda::KeyType type, std::size_t value_bytes, std::uint64_t count);
  Code (*segmented_sort)(const DeviceSegmentedSort& sort, const DeviceCall& call, DeviceMessage& message);

  /// `count`: of the items of all lists.
  std::size_t (*merge_scratch_bytes)(cuda::KeyType type, std::size_t value_bytes, std::uint64_t count,
                                     std::uint32_t list_count);
  Code (*merge)(const DeviceMerge& merge, const DeviceCall& call, DeviceMessage& message);

  /// `count`: of the items of both lists.
  std::size_t (*set_scratch_bytes)(cuda::SetOperation operation, cuda::KeyType type, std::uint64_t count);
  /// Waits for the number of items that are kept.
  Code (*combine_sets)(const DeviceSetOperation& sets, std::uint64_t& kept_count, const DeviceCall& call,
                       DeviceMessage& message);

  std::size_t (*top_scratch_bytes)(cuda::KeyType type, std::uint64_t count, std::uint64_t top_count);
  Code (*top)(const DeviceTop& top, const DeviceCall& call, DeviceMessage& message);

  std::size_t (*lexsort_scratch_bytes)(const DeviceRows& rows);
  /// Sets as many positions as there are rows, or strings, to where they are in order.
  Code (*lexsort)(const DeviceRows& rows, std::uint64_t* positions, const DeviceCall& call, DeviceMessage& message);
  std::size_t (*argsort_strings_scratch_bytes)(std::size_t offset_bytes, std::uint64_t count);
  Code (*argsort_strings)(const DeviceStrings& strings, std::uint64_t* positions, const DeviceCall& call,
                          DeviceMessage& message);

  std::size_t (*unique_scratch_bytes)(cuda::KeyType type, std::size_t value_bytes, std::uint64_t count);
  /// Waits for the number of items that are kept.
  Code (*unique)(const DeviceUnique& unique, std::uint64_t& kept_count, const DeviceCall& call, DeviceMessage& message);

  /// Takes memory in the order of the stream.
  Code (*allocate)(std::size_t bytes, const DeviceCall& call, void** memory, DeviceMessage& message);
  /// Gives it back in the order of the stream. `wait`: after all work of the device, whoever queued it, for memory that
  /// another library has seen. Failures are left to whoever uses the device next.
  void (*release_memory)(void* memory, const DeviceCall& call, bool wait);
  /// Copies on the device.
  Code (*copy)(void* target, const void* source, std::size_t bytes, const DeviceCall& call, DeviceMessage& message);
  /// Lets later work of the call's stream wait for what is in `other` now.
  Code (*wait_for)(void* other, const DeviceCall& call, DeviceMessage& message);
  /// Waits on the host until the work of the call's stream is done.
  Code (*synchronize)(const DeviceCall& call, DeviceMessage& message);
  Code (*find)(const void* memory, DevicePlace& place, DeviceMessage& message);
};

}  // namespace sortie
