// Instantiates the sorts of keys with 32-bit values.
#include "kernels/bitonic/bitonic_launch.cuh"

namespace sortie::kernels {

SORTIE_BITONIC_SORTS_OF_PAIRS(std::uint32_t)

}  // namespace sortie::kernels
