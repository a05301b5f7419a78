// Sorts of numbers of every type, ascending and descending. Apart from radix_sort.cu, so that the two compile
// side by side: the kernels are many.
#include <type_traits>

#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_launch.cuh"
#include "kernels/radix_sort.hpp"

namespace sortie::kernels {
namespace {

template <class Key, class Value>
void sort_by_codes(const RadixArrays<Key, Value>& arrays, std::uint64_t count, SortOrder order, void* scratch,
                   cudaStream_t stream) {
  using Code = CodeOf<Key>;
  const RadixArrays<Code, Value> bits{reinterpret_cast<Code*>(arrays.keys),
                                      reinterpret_cast<Code*>(arrays.alternate_keys), arrays.values,
                                      arrays.alternate_values};
  const auto codec = make_key_codec<Code>(kKindOf<Key>, order == SortOrder::kDescending);
  radix_sort(bits, codec, count, {0, 8 * sizeof(Code)}, scratch, stream);
}

}  // namespace

template <RadixKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                     cudaStream_t stream) {
  if constexpr (std::is_unsigned_v<Key>) {
    if (order == SortOrder::kAscending) {
      return radix_sort_keys(keys, alternate_keys, count, BitRange{0, 8 * sizeof(Key)}, scratch, stream);
    }
  }
  const RadixArrays<Key, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  sort_by_codes(arrays, count, order, scratch, stream);
}

template <RadixKey Key, RadixValue Value>
void radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      SortOrder order, void* scratch, cudaStream_t stream) {
  if constexpr (std::is_unsigned_v<Key>) {
    if (order == SortOrder::kAscending) {
      return radix_sort_pairs(keys, alternate_keys, values, alternate_values, count, BitRange{0, 8 * sizeof(Key)},
                              scratch, stream);
    }
  }
  const RadixArrays<Key, Value> arrays{keys, alternate_keys, values, alternate_values};
  sort_by_codes(arrays, count, order, scratch, stream);
}

#define SORTIE_RADIX_SORTS_OF(Key)                                                                            \
  template void radix_sort_keys(Key*, Key*, std::uint64_t, SortOrder, void*, cudaStream_t);                   \
  template void radix_sort_pairs(Key*, Key*, std::uint32_t*, std::uint32_t*, std::uint64_t, SortOrder, void*, \
                                 cudaStream_t);                                                               \
  template void radix_sort_pairs(Key*, Key*, std::uint64_t*, std::uint64_t*, std::uint64_t, SortOrder, void*, \
                                 cudaStream_t);

SORTIE_RADIX_SORTS_OF(std::uint32_t)
SORTIE_RADIX_SORTS_OF(std::int32_t)
SORTIE_RADIX_SORTS_OF(float)
SORTIE_RADIX_SORTS_OF(std::uint64_t)
SORTIE_RADIX_SORTS_OF(std::int64_t)
SORTIE_RADIX_SORTS_OF(double)

#undef SORTIE_RADIX_SORTS_OF

}  // namespace sortie::kernels
