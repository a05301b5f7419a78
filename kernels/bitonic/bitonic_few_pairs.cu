#include "kernels/bitonic/bitonic_few_pairs.hpp"

#include "kernels/bitonic/bitonic_launch.cuh"

namespace sortie::kernels {

template <SortKey Key, SortValue Value>
requires(sizeof(Key) == 4) bool bitonic_sort_few_pairs(Key* keys, Value* values, std::uint64_t count, SortOrder order,
                                                       cudaStream_t stream) {
  return sort_few_pairs(keys, values, count, order, stream);
}

#define SORTIE_SORTS_OF_FEW_PAIRS_OF(Key)                                                             \
  template bool bitonic_sort_few_pairs(Key*, std::uint32_t*, std::uint64_t, SortOrder, cudaStream_t); \
  template bool bitonic_sort_few_pairs(Key*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);

SORTIE_SORTS_OF_FEW_PAIRS_OF(std::uint32_t)
SORTIE_SORTS_OF_FEW_PAIRS_OF(std::int32_t)
SORTIE_SORTS_OF_FEW_PAIRS_OF(float)

#undef SORTIE_SORTS_OF_FEW_PAIRS_OF

}  // namespace sortie::kernels
