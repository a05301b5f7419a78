// Few items that the radix sort leaves to the bitonic sort, which needs fewer launches and waits less. Bare keys come
// out the same from either; pairs are sorted with their positions, so that equal keys keep their order.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/bitonic/bitonic_few_pairs.hpp"
#include "kernels/bitonic_sort.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::kernels {

/// The bitonic sort takes so many bare keys. It is faster for them on an H100 and an H200, and slower for more
/// (tools/bench/RESULTS-kernels.md).
template <class Key>
inline constexpr std::uint64_t kMostNetworkKeys = std::uint64_t{1} << (sizeof(Key) == 4 ? 17 : 18);

/// Returns false, and does nothing, if the radix sort is to sort them.
template <SortKey Key>
bool sort_by_network(Key* keys, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  if (count > kMostNetworkKeys<Key>) return false;
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
