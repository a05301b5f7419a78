// Compiles the lower tiers of the merge sort for pairs whose equal prefixes are told apart by their records.
#include "kernels/merge_sort/merge_sort_tile.cuh"

namespace sortie::kernels {

template void sort_tiles(const PairOrder&, const InOutArrays<std::uint64_t, std::uint32_t>&, std::uint64_t,
                         cudaStream_t);

}  // namespace sortie::kernels
