// Keys with 32-bit values.
#include "kernels/segmented/segmented_launch.cuh"

namespace sortie::kernels {

template <RadixKey Key, RadixValue Value>
void segmented_sort_pairs(Key* keys, Value* values, const Segments& segments, SortOrder order, void* scratch,
                          cudaStream_t stream) {
  segmented_sort(keys, values, segments, order, scratch, stream);
}

#define SORTIE_SEGMENTED_PAIRS(Key) \
  template void segmented_sort_pairs(Key*, std::uint32_t*, const Segments&, SortOrder, void*, cudaStream_t);

SORTIE_SEGMENTED_PAIRS(std::uint32_t)
SORTIE_SEGMENTED_PAIRS(std::int32_t)
SORTIE_SEGMENTED_PAIRS(float)
SORTIE_SEGMENTED_PAIRS(std::uint64_t)
SORTIE_SEGMENTED_PAIRS(std::int64_t)
SORTIE_SEGMENTED_PAIRS(double)

#undef SORTIE_SEGMENTED_PAIRS

}  // namespace sortie::kernels
