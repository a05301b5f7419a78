// How values of any size travel with their keys: those of 4 and 8 bytes in the sort itself; for others, 4-byte
// positions are sorted in their place, and then the values are gathered once. Sorts and merges use it. Here is also
// what all sorts in place do around their kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_arrays.hpp>

#include "cuda/device_call.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/numbered_copy.hpp"
#include "kernels/records.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::cuda {

/// Whether values of this size move by way of their positions.
constexpr bool moves_positions(std::size_t value_bytes) {
  return value_bytes != 0 && value_bytes != 4 && value_bytes != 8;
}

/// Scratch of a sort in place.
struct SortScratch {
  SortScratch(std::size_t key_bytes, std::size_t value_bytes, std::uint64_t count, std::uint64_t kernel_bytes,
              void* area = nullptr)
      : layout(area) {
    const bool by_position = moves_positions(value_bytes);
    alternate_keys = layout.take<std::byte>(count * key_bytes);
    alternate_values = layout.take<std::byte>(count * value_bytes);
    positions = layout.take<std::uint32_t>(by_position ? count : 0);
    alternate_positions = layout.take<std::uint32_t>(by_position ? count : 0);
    kernel = layout.take<std::byte>(kernel_bytes);
  }

  kernels::ScratchLayout layout;
  std::byte* alternate_keys;
  std::byte* alternate_values;
  std::uint32_t* positions;
  std::uint32_t* alternate_positions;
  std::byte* kernel;
};

/// Calls sort(values, alternate_values), which sorts keys with values of such a type into the first array. NoValue*
/// stands for none.
template <class Sort>
void sort_with_values(const Values& values, std::uint64_t count, const SortScratch& scratch, cudaStream_t stream,
                      const Sort& sort) {
  switch (values.bytes) {
    case 0: {
      kernels::NoValue* const none = nullptr;
      return sort(none, none);
    }
    case 4:
      return sort(static_cast<std::uint32_t*>(values.data), reinterpret_cast<std::uint32_t*>(scratch.alternate_values));
    case 8:
      return sort(static_cast<std::uint64_t*>(values.data), reinterpret_cast<std::uint64_t*>(scratch.alternate_values));
    default:
      kernels::copy_numbered(values.data, values.bytes, count, scratch.alternate_values, scratch.positions, stream);
      sort(scratch.positions, scratch.alternate_positions);
      kernels::gather_fixed(scratch.alternate_values, values.bytes, count, scratch.positions, count,
                            static_cast<std::byte*>(values.data), stream);
  }
}

/// The alignment that values of this size need.
constexpr unsigned value_alignment(std::size_t value_bytes) { return moves_positions(value_bytes) ? 1 : 16; }

/// The arrays of a sort in place. Throws Refused unless they can be sorted.
inline std::array<ArrayArgument, 2> checked_arrays(const Keys& keys, const Values& values, std::uint64_t count) {
  require_count(count);
  require_values(values.bytes, count);
  const std::array<ArrayArgument, 2> arrays{
      {{"keys", keys.data, count * bytes_of(keys.type)},
       {"values", values.data, count * values.bytes, Access::kWrite, value_alignment(values.bytes)}}};
  require_arrays(arrays);
  return arrays;
}

/// Checks the arguments of a sort in place, takes scratch, of which the kernels need `kernel_bytes`, and calls
/// sort(values, alternate_values, scratch), as sort_with_values() does.
template <class Sort>
void sort_in_place(const Keys& keys, const Values& values, std::uint64_t count, std::uint64_t kernel_bytes,
                   const Scratch& scratch, cudaStream_t stream, const Sort& sort) {
  const auto arrays = checked_arrays(keys, values, count);
  if (count == 0) return;
  const SortScratch sizes(bytes_of(keys.type), values.bytes, count, kernel_bytes);
  const ScratchLease lease(scratch, sizes.layout.size_bytes(), arrays, stream);
  const SortScratch areas(bytes_of(keys.type), values.bytes, count, kernel_bytes, lease.memory());
  sort_with_values(values, count, areas, stream,
                   [&](auto* typed_values, auto* alternate_values) { sort(typed_values, alternate_values, areas); });
}

/// Sorts keys of 32 or 64 bits by Kernels::sort_keys() or Kernels::sort_pairs(). `how` is what these take: a SortOrder,
/// or more.
template <class Kernels, class Key, class Value, class How>
void sort_wide(Key* keys, Value* values, Value* alternate_values, std::uint64_t count, const How& how,
               const SortScratch& scratch, cudaStream_t stream) {
  auto* const alternate_keys = reinterpret_cast<Key*>(scratch.alternate_keys);
  if constexpr (std::is_same_v<Value, kernels::NoValue>) {
    Kernels::sort_keys(keys, alternate_keys, count, how, scratch.kernel, stream);
  } else {
    Kernels::sort_pairs(keys, alternate_keys, values, alternate_values, count, how, scratch.kernel, stream);
  }
}

/// A whole sort in place of keys of 32 or 64 bits. Kernels::scratch_bytes(count) is what its kernels need.
template <class Kernels>
void sort_wide_in_place(const Keys& keys, const Values& values, std::uint64_t count, Order order,
                        const Scratch& scratch, cudaStream_t stream) {
  require_wide_keys(keys.type);
  require_order(order);
  sort_in_place(keys, values, count, Kernels::scratch_bytes(count), scratch, stream,
                [&](auto* typed_values, auto* alternate_values, const SortScratch& areas) {
                  with_wide_keys(keys, [&](auto* typed_keys) {
                    sort_wide<Kernels>(typed_keys, typed_values, alternate_values, count, kernel_order(order), areas,
                                       stream);
                  });
                });
}

/// Its scratch.
template <class Kernels>
std::size_t sort_wide_scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
  return SortScratch(bytes_of(type), value_bytes, count, Kernels::scratch_bytes(count)).layout.size_bytes();
}

}  // namespace sortie::cuda
