#include "kernels/radix_sort_long_values.hpp"

#include "kernels/bitonic/bitonic_few_pairs.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/sample_sort/sample_sort_launch.cuh"

namespace sortie::kernels {

template <SortKey Key>
requires(sizeof(Key) == 4) bool radix_sort_long_values(Key* keys, Key* alternate_keys, uint4* values,
                                                       uint4* alternate_values, std::uint64_t count, SortOrder order,
                                                       void* scratch, cudaStream_t stream) {
  constexpr std::uint64_t kFewestLongSampled = (std::uint64_t{1} << 13) + 1;  // fewer are sooner sorted with positions
  static_assert(kFewestLongSampled >= kFewestSampleSorted && kMostLongValues <= kMostSampleSorted);
  if (bitonic_sort_few_pairs(keys, values, count, order, stream)) return true;
  if (count < kFewestLongSampled || count > kMostLongValues) return false;
  const RadixArrays<CodeOf<Key>, uint4> arrays{as_codes(keys), as_codes(alternate_keys), values, alternate_values};
  return sort_by_samples(arrays, codec_of<Key>(order), count, {0, 8 * sizeof(Key)}, scratch, stream);
}

#define SORTIE_SORT_LONG_VALUES_OF(Key) \
  template bool radix_sort_long_values(Key*, Key*, uint4*, uint4*, std::uint64_t, SortOrder, void*, cudaStream_t);

SORTIE_SORT_LONG_VALUES_OF(std::uint32_t)
SORTIE_SORT_LONG_VALUES_OF(std::int32_t)
SORTIE_SORT_LONG_VALUES_OF(float)

#undef SORTIE_SORT_LONG_VALUES_OF

}  // namespace sortie::kernels
