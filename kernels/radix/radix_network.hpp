// Few items that the radix sort leaves to the bitonic sort, which needs fewer launches and waits less. Bare keys come
// out the same from either; pairs are sorted with their positions, so that equal keys keep their order.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/bitonic/bitonic_few_pairs.hpp"
#include "kernels/bitonic_sort.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/radix/radix_tuning.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::kernels {

/// Returns false, and does nothing, if the radix sort is to sort them.
template <SortKey Key>
bool sort_by_network(Key* keys, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  const RadixTuningRow row = radix_tuning_row(device_architecture(), sizeof(Key), 0);
  if (count > std::uint64_t{1} << row.log2_most_by_network) return false;
  bitonic_sort_keys(keys, count, order, stream);
  return true;
}
/// Keys of 8 bytes would take a network of numbers of 16 bytes with positions, which is no faster.
template <SortKey Key, SortValue Value>
bool sort_by_network(Key* keys, Value* values, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  if constexpr (sizeof(Key) == 4) return bitonic_sort_few_pairs(keys, values, count, order, stream);
  return false;
}

/// Whether keys are sorted by all their bits.
template <class Key>
constexpr bool covers_key(BitRange bits) {
  return bits.begin == 0 && bits.end == 8 * sizeof(Key);
}

}  // namespace sortie::kernels
