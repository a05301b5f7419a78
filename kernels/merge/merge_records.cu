// Compiles the merge kernels for pairs whose equal prefixes are told apart by their records.
#include "kernels/merge/merge_launch.cuh"

namespace sortie::kernels {

template void merge_round(const PairOrder&, const InOutArrays<std::uint64_t, std::uint32_t>&, const SortedSequences&,
                          unsigned, void*, cudaStream_t);

}  // namespace sortie::kernels
