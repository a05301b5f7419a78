// Sorts keys alone. segmented_pairs.cu and segmented_wide_pairs.cu sort pairs, so that the kernels compile side by
// side.
#include "kernels/segmented/segmented_launch.cuh"

namespace sortie::kernels {

std::uint64_t segmented_sort_scratch_bytes(const Segments& segments) {
  return segment_scratch(nullptr, segments).size_bytes;
}

template <SortKey Key>
void segmented_sort_keys(Key* keys, const Segments& segments, SortOrder order, void* scratch, cudaStream_t stream) {
  segmented_sort(keys, static_cast<NoValue*>(nullptr), segments, order, scratch, stream);
}

template void segmented_sort_keys(std::uint32_t*, const Segments&, SortOrder, void*, cudaStream_t);
template void segmented_sort_keys(std::int32_t*, const Segments&, SortOrder, void*, cudaStream_t);
template void segmented_sort_keys(float*, const Segments&, SortOrder, void*, cudaStream_t);
template void segmented_sort_keys(std::uint64_t*, const Segments&, SortOrder, void*, cudaStream_t);
template void segmented_sort_keys(std::int64_t*, const Segments&, SortOrder, void*, cudaStream_t);
template void segmented_sort_keys(double*, const Segments&, SortOrder, void*, cudaStream_t);

}  // namespace sortie::kernels
