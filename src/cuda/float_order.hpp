// Floats that are ordered by value, for functions whose kernels know totalOrder alone (kernels/float_values.hpp says
// how). Sorts and merges use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>

#include "cuda/device_call.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/float_values.hpp"
#include "kernels/floats/value_codec.hpp"
#include "kernels/rows/row_order.hpp"

namespace sortie::cuda {

/// Precondition: floats of either order.
constexpr kernels::FloatFormat float_format(KeyType type) {
  switch (in_total_order(type)) {
    case KeyType::kFloat16:
      return {2, 10};
    case KeyType::kBfloat16:
      return {2, 7};
    case KeyType::kFloat32:
      return {4, 23};
    default:
      return {8, 52};
  }
}

/// The order of keys of any type, floats in either order, for kernels that take it.
inline kernels::RowOrder row_order(KeyType type, Order order) {
  return {number_order(in_total_order(type), order), is_by_value(type) ? float_format(type).fraction_bits : 0};
}

/// Calls use<Bits>(codec) with the codec of floats by value, all of one value having one code.
template <class Use>
void with_value_codec(KeyType type, Order order, const Use& use) {
  const kernels::FloatFormat format = float_format(type);
  const auto with_bits = [&]<class Bits>(Bits) {
    use.template operator()<Bits>(kernels::make_value_codec<Bits>(format, order == Order::kDescending));
  };
  if (format.bytes == 2) return with_bits(std::uint16_t{});
  if (format.bytes == 4) return with_bits(std::uint32_t{});
  with_bits(std::uint64_t{});
}

/// Scratch of a call that saves the bits of keys, and of `call_bytes` for what it calls in totalOrder.
struct ByValueScratch {
  ByValueScratch(KeyType type, std::uint64_t count, std::uint64_t call_bytes, void* area = nullptr)
      : layout(area), bytes(call_bytes) {
    saved = layout.take<std::byte>(kernels::float_bits_scratch_bytes(float_format(type), count));
    call = layout.take<std::byte>(call_bytes);
  }

  Scratch of_call() const { return {call, bytes}; }

  kernels::ScratchLayout layout;
  std::uint64_t bytes;
  std::byte* saved;
  std::byte* call;
};

/// Sorts keys by value: sort(keys in totalOrder, scratch) sorts them stably, and their values with them. Precondition:
/// it does not refuse its arguments, for keys are changed by then.
template <class Sort>
void sort_by_value(const Keys& keys, std::uint64_t count, const ByValueScratch& scratch, cudaStream_t stream,
                   const Sort& sort) {
  const kernels::FloatFormat format = float_format(keys.type);
  kernels::take_float_bits(format, keys.data, count, scratch.saved, stream);
  sort(Keys(keys.data, in_total_order(keys.type)), scratch.of_call());
  kernels::put_float_bits(format, keys.data, count, scratch.saved, stream);
}

/// Scratch of a sort of keys without values: as many keys, and that of the sort in totalOrder.
struct KeysByValueScratch {
  KeysByValueScratch(KeyType type, std::uint64_t count, std::uint64_t sort_bytes, void* area = nullptr)
      : layout(area), bytes(std::max(sort_bytes, count * bytes_of(type))) {
    is_moved = layout.take<std::uint32_t>(1);
    sort = layout.take<std::byte>(bytes);
  }

  kernels::ScratchLayout layout;
  std::uint64_t bytes;
  std::uint32_t* is_moved;
  std::byte* sort;  ///< afterwards the alternate keys
};

/// Scratch of sort_in_place_by_value(), where that in totalOrder takes `sort_bytes`.
inline std::uint64_t sort_by_value_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count,
                                         std::uint64_t sort_bytes) {
  return value_bytes == 0 ? KeysByValueScratch(type, count, sort_bytes).layout.size_bytes()
                          : ByValueScratch(type, count, sort_bytes).layout.size_bytes();
}

/// A whole sort in place. Keys without values need not keep the order of those of one value: it is enough to move NaNs.
/// sort(keys in totalOrder, scratch) sorts keys and values stably, and returns a Status.
template <class Sort>
void sort_in_place_by_value(const Keys& keys, const Values& values, std::uint64_t count, Order order,
                            std::uint64_t sort_bytes, const Scratch& scratch, cudaStream_t stream, const Sort& sort) {
  const auto arrays = checked_arrays(keys, values, count);
  if (count == 0) return;
  const ScratchLease lease(scratch, sort_by_value_bytes(keys.type, values.bytes, count, sort_bytes), arrays, stream);
  if (values.bytes != 0) {
    const ByValueScratch areas(keys.type, count, sort_bytes, lease.memory());
    return sort_by_value(keys, count, areas, stream,
                         [&](const Keys& ordered, const Scratch& of_sort) { require_ok(sort(ordered, of_sort)); });
  }
  const KeysByValueScratch areas(keys.type, count, sort_bytes, lease.memory());
  require_ok(sort(Keys(keys.data, in_total_order(keys.type)), Scratch(areas.sort, areas.bytes)));
  kernels::move_negative_nans(float_format(keys.type), keys.data, areas.sort, count, kernel_order(order),
                              areas.is_moved, stream);
}

}  // namespace sortie::cuda
