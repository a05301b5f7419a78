// Sorts keys alone. bitonic_pairs.cu and bitonic_wide_pairs.cu sort pairs. There are many kernels; in separate files
// they compile side by side.
#include "kernels/bitonic/bitonic_launch.cuh"

namespace sortie::kernels {

template <SortKey Key>
void bitonic_sort_keys(Key* keys, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  bitonic_sort(keys, static_cast<NoValue*>(nullptr), count, order, stream);
}

template void bitonic_sort_keys(std::uint32_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_keys(std::int32_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_keys(float*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_keys(std::uint64_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_keys(std::int64_t*, std::uint64_t, SortOrder, cudaStream_t);
template void bitonic_sort_keys(double*, std::uint64_t, SortOrder, cudaStream_t);

}  // namespace sortie::kernels
