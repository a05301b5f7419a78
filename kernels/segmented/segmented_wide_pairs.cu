// Segmented sorts of keys of 8 bytes with values.
#include "kernels/segmented/segmented_launch.cuh"

namespace sortie::kernels {

SORTIE_SEGMENTED_SORTS_OF_8_BYTES(std::uint32_t)
SORTIE_SEGMENTED_SORTS_OF_8_BYTES(std::uint64_t)

}  // namespace sortie::kernels
