// Merges of floats by value: of a copy of their keys in which those of one value have the same bits. The zeros and the
// NaNs of a merge lie in the order of the lists, so that they get their own bits back at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_merge.hpp>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"

namespace sortie::cuda {

/// Whether lists of such keys are merged here: shorter ones are sorted, which takes either order.
constexpr bool merges_by_value(KeyType type) { return is_by_value(type) && !is_short(type); }

/// Scratch of a merge by value, of which the merge in totalOrder takes `merge_bytes`.
struct MergeByValueScratch {
  MergeByValueScratch(KeyType type, std::uint64_t count, std::uint64_t merge_bytes, void* area = nullptr)
      : layout(area),
        keys(layout.take<std::byte>(count * bytes_of(type))),
        by_value_bytes(ByValueScratch(type, count, merge_bytes).layout.size_bytes()),
        by_value(layout.take<std::byte>(by_value_bytes)) {}

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::uint64_t by_value_bytes;
  std::byte* by_value;
};

inline std::uint64_t merge_by_value_bytes(KeyType type, std::uint64_t count, std::uint64_t merge_bytes) {
  return MergeByValueScratch(type, count, merge_bytes).layout.size_bytes();
}

/// Merges lists into `keys`: merge(keys of all lists side by side, keys in totalOrder, scratch) merges those.
template <class Merge>
void merge_by_value(std::span<const SortedList> lists, const Keys& keys, std::uint64_t merge_bytes,
                    const Scratch& scratch, cudaStream_t stream, const Merge& merge) {
  std::uint64_t count = 0;
  for (const SortedList& list : lists) count += list.count;
  const MergeByValueScratch areas(keys.type, count, merge_bytes, scratch.memory());
  std::byte* target = areas.keys;
  for (const SortedList& list : lists) {
    const std::uint64_t bytes = list.count * bytes_of(keys.type);
    copy_within_device(target, list.keys.data, bytes, stream);
    target += bytes;
  }
  const kernels::FloatFormat format = float_format(keys.type);
  const ByValueScratch by_value(keys.type, count, merge_bytes, areas.by_value);
  kernels::take_float_bits(format, areas.keys, count, by_value.saved, stream);
  merge(areas.keys, Keys(keys.data, in_total_order(keys.type)), by_value.of_call());
  kernels::put_float_bits(format, keys.data, count, by_value.saved, stream);
}

}  // namespace sortie::cuda
