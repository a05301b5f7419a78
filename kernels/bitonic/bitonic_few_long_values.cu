// Sorts few pairs with values of 16 bytes.
#include "kernels/bitonic/bitonic_few_pairs.cuh"

namespace sortie::kernels {

template bool bitonic_sort_few_pairs(std::uint32_t*, uint4*, std::uint64_t, SortOrder, cudaStream_t);
template bool bitonic_sort_few_pairs(std::int32_t*, uint4*, std::uint64_t, SortOrder, cudaStream_t);
template bool bitonic_sort_few_pairs(float*, uint4*, std::uint64_t, SortOrder, cudaStream_t);

}  // namespace sortie::kernels
