// Sorts by bits of unsigned keys, in ascending order. radix_sort_numbers.cu sorts numbers of all types.
#include "kernels/radix_sort.hpp"

#include <algorithm>

#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_choice.cuh"
#include "kernels/radix/radix_network.hpp"

namespace sortie::kernels {

std::uint64_t radix_sort_scratch_bytes(std::uint64_t count) {
  const std::uint64_t sample_sorted = std::clamp(count, kFewestSampleSorted, kMostSampleSorted);
  return std::max(radix_scratch(nullptr, count).size_bytes, sample_sort_scratch(nullptr, sample_sorted).size_bytes);
}

template <SortKey Key>
requires std::unsigned_integral<Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, BitRange bits, void* scratch,
                     cudaStream_t stream) {
  if (covers_key<Key>(bits) && sort_by_network(keys, count, SortOrder::kAscending, stream)) return;
  const RadixArrays<Key, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

template <SortKey Key, SortValue Value>
requires std::unsigned_integral<Key>
void radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      BitRange bits, void* scratch, cudaStream_t stream) {
  if (covers_key<Key>(bits) && sort_by_network(keys, values, count, SortOrder::kAscending, stream)) return;
  const RadixArrays<Key, Value> arrays{keys, alternate_keys, values, alternate_values};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

#define SORTIE_RADIX_SORTS_BY_BITS_OF(Key)                                                                   \
  template void radix_sort_keys(Key*, Key*, std::uint64_t, BitRange, void*, cudaStream_t);                   \
  template void radix_sort_pairs(Key*, Key*, std::uint32_t*, std::uint32_t*, std::uint64_t, BitRange, void*, \
                                 cudaStream_t);                                                              \
  template void radix_sort_pairs(Key*, Key*, std::uint64_t*, std::uint64_t*, std::uint64_t, BitRange, void*, \
                                 cudaStream_t);

SORTIE_RADIX_SORTS_BY_BITS_OF(std::uint32_t)
SORTIE_RADIX_SORTS_BY_BITS_OF(std::uint64_t)

#undef SORTIE_RADIX_SORTS_BY_BITS_OF

}  // namespace sortie::kernels
