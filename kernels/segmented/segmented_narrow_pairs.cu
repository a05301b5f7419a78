// Segmented sorts of keys of 4 bytes with values.
#include "kernels/segmented/segmented_launch.cuh"

namespace sortie::kernels {

SORTIE_SEGMENTED_SORTS_OF_4_BYTES(std::uint32_t)
SORTIE_SEGMENTED_SORTS_OF_4_BYTES(std::uint64_t)

}  // namespace sortie::kernels
