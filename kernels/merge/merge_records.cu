// Compiles the merge kernels for pairs whose equal prefixes are told apart by their records.
#include "kernels/merge/list_merge_launch.cuh"
#include "kernels/merge/merge_launch.cuh"

namespace sortie::kernels {

template void merge_round(const PairOrder&, const InOutArrays<std::uint64_t, std::uint32_t>&, const SortedSequences&,
                          unsigned, void*, cudaStream_t);

template void merge_list_pass(const PairOrder&, const InOutArrays<std::uint64_t, std::uint32_t>&, const ListPass&,
                              std::uint64_t, void*, cudaStream_t);

}  // namespace sortie::kernels
