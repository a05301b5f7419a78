// Instantiates the sorts of keys with 64-bit values.
#include "kernels/bitonic/bitonic_launch.cuh"

namespace sortie::kernels {

SORTIE_BITONIC_SORTS_OF_PAIRS(std::uint64_t)

}  // namespace sortie::kernels
