// A radix sort that keeps the order of all items with equal keys, of floats by value without values too. Sorts of an
// array in parts use it: the result does not tell what the parts were.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"

namespace sortie::cuda {

inline ByValueScratch stable_by_value_scratch(KeyType type, std::size_t value_bytes, std::uint64_t count,
                                              void* area = nullptr) {
  return {type, count, radix_sort_scratch_bytes(in_total_order(type), value_bytes, count), area};
}

inline std::size_t stable_sort_scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
  return is_by_value(type) ? stable_by_value_scratch(type, value_bytes, count).layout.size_bytes()
                           : radix_sort_scratch_bytes(type, value_bytes, count);
}

/// Sorts in place. `scratch` has as many bytes. Throws Refused.
inline void stable_sort(const Keys& keys, const Values& values, std::uint64_t count, Order order, void* scratch,
                        cudaStream_t stream) {
  const auto sort = [&](const Keys& ordered, const Scratch& of_sort) {
    require_ok(radix_sort(ordered, values, count, order, of_sort, stream));
  };
  if (count == 0) return;
  if (!is_by_value(keys.type)) {
    return sort(keys, {scratch, radix_sort_scratch_bytes(keys.type, values.bytes, count)});
  }
  sort_by_value(keys, count, stable_by_value_scratch(keys.type, values.bytes, count, scratch), stream, sort);
}

}  // namespace sortie::cuda
