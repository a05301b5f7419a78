// Sorts of numbers of every type, ascending and descending. There are many kernels, so they are apart from
// radix_sort.cu: the two files compile side by side.
#include <type_traits>

#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_choice.cuh"
#include "kernels/radix/radix_network.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::kernels {
namespace {

template <class Key, class Value>
void sort_by_codes(const RadixArrays<Key, Value>& arrays, std::uint64_t count, SortOrder order, void* scratch,
                   cudaStream_t stream) {
  const RadixArrays<CodeOf<Key>, Value> codes{as_codes(arrays.keys), as_codes(arrays.alternate_keys), arrays.values,
                                              arrays.alternate_values};
  radix_sort(codes, codec_of<Key>(order), count, {0, 8 * sizeof(Key)}, scratch, stream);
}

}  // namespace

template <SortKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                     cudaStream_t stream) {
  if constexpr (std::is_unsigned_v<Key>) {
    if (order == SortOrder::kAscending) {
      return radix_sort_keys(keys, alternate_keys, count, BitRange{0, 8 * sizeof(Key)}, scratch, stream);
    }
  }
  if (sort_by_network(keys, count, order, stream)) return;
  const RadixArrays<Key, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  sort_by_codes(arrays, count, order, scratch, stream);
}

template <SortKey Key, SortValue Value>
void radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      SortOrder order, void* scratch, cudaStream_t stream) {
  if constexpr (std::is_unsigned_v<Key>) {
    if (order == SortOrder::kAscending) {
      return radix_sort_pairs(keys, alternate_keys, values, alternate_values, count, BitRange{0, 8 * sizeof(Key)},
                              scratch, stream);
    }
  }
  if (sort_by_network(keys, values, count, order, stream)) return;
  const RadixArrays<Key, Value> arrays{keys, alternate_keys, values, alternate_values};
  sort_by_codes(arrays, count, order, scratch, stream);
}

template <SortKey Key, SortValue Position>
void radix_argsort(const Key* source, Key* keys, Key* alternate_keys, Position* positions,
                   Position* alternate_positions, std::uint64_t count, SortOrder order, void* scratch,
                   cudaStream_t stream) {
  const RadixArrays<CodeOf<Key>, Position> arrays{as_codes(keys), as_codes(alternate_keys), positions,
                                                  alternate_positions};
  argsort_in_tiles(reinterpret_cast<const CodeOf<Key>*>(source), arrays, codec_of<Key>(order), count, scratch, stream);
}

#define SORTIE_RADIX_SORTS_OF(Key)                                                                                     \
  template void radix_sort_keys(Key*, Key*, std::uint64_t, SortOrder, void*, cudaStream_t);                            \
  template void radix_sort_pairs(Key*, Key*, std::uint32_t*, std::uint32_t*, std::uint64_t, SortOrder, void*,          \
                                 cudaStream_t);                                                                        \
  template void radix_sort_pairs(Key*, Key*, std::uint64_t*, std::uint64_t*, std::uint64_t, SortOrder, void*,          \
                                 cudaStream_t);                                                                        \
  template void radix_argsort(const Key*, Key*, Key*, std::uint32_t*, std::uint32_t*, std::uint64_t, SortOrder, void*, \
                              cudaStream_t);                                                                           \
  template void radix_argsort(const Key*, Key*, Key*, std::uint64_t*, std::uint64_t*, std::uint64_t, SortOrder, void*, \
                              cudaStream_t);

SORTIE_RADIX_SORTS_OF(std::uint32_t)
SORTIE_RADIX_SORTS_OF(std::int32_t)
SORTIE_RADIX_SORTS_OF(float)
SORTIE_RADIX_SORTS_OF(std::uint64_t)
SORTIE_RADIX_SORTS_OF(std::int64_t)
SORTIE_RADIX_SORTS_OF(double)

#undef SORTIE_RADIX_SORTS_OF

}  // namespace sortie::kernels
