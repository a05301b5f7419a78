// Segmented sorts of keys alone. Those with values are in files of their own, which compile beside this one.
#include "kernels/segmented_sort.hpp"

#include "kernels/segmented/segmented_launch.cuh"

namespace sortie::kernels {

std::uint64_t segmented_sort_scratch_bytes(std::size_t key_bytes, std::size_t value_bytes, std::uint64_t count) {
  return segment_lists(key_bytes, value_bytes, count, true).size_bytes;
}

SORTIE_SEGMENTED_SORTS_OF_4_BYTES(NoValue)
SORTIE_SEGMENTED_SORTS_OF_8_BYTES(NoValue)

}  // namespace sortie::kernels
