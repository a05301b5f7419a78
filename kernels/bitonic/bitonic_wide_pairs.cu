// Keys with 64-bit values.
#include "kernels/bitonic/bitonic_launch.cuh"

namespace sortie::kernels {

template <RadixKey Key, RadixValue Value>
void bitonic_sort_pairs(Key* keys, Value* values, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  bitonic_sort(keys, values, count, order, stream);
}

template void bitonic_sort_pairs(std::uint32_t*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_pairs(std::int32_t*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_pairs(float*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_pairs(std::uint64_t*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_pairs(std::int64_t*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_pairs(double*, std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);

}  // namespace sortie::kernels
