// Sorts few pairs with values of 4 and 8 bytes.
#include "kernels/bitonic/bitonic_few_pairs.cuh"

namespace sortie::kernels {

#define SORTIE_SORTS_OF_FEW_PAIRS_OF(Key)                                                             \
  template bool bitonic_sort_few_pairs(Key*, std::uint32_t*, std::uint64_t, SortOrder, cudaStream_t); \
  template bool bitonic_sort_few_pairs(Key*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);

SORTIE_SORTS_OF_FEW_PAIRS_OF(std::uint32_t)
SORTIE_SORTS_OF_FEW_PAIRS_OF(std::int32_t)
SORTIE_SORTS_OF_FEW_PAIRS_OF(float)

#undef SORTIE_SORTS_OF_FEW_PAIRS_OF

}  // namespace sortie::kernels
