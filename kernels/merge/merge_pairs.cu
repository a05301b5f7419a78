// Compiles the merge kernels for keys with values.
#include "kernels/merge/merge_launch.cuh"

namespace sortie::kernels {

SORTIE_MERGE_ROUNDS_OF(std::uint32_t, std::uint32_t)
SORTIE_MERGE_ROUNDS_OF(std::uint32_t, std::uint64_t)
SORTIE_MERGE_ROUNDS_OF(std::uint64_t, std::uint32_t)
SORTIE_MERGE_ROUNDS_OF(std::uint64_t, std::uint64_t)

}  // namespace sortie::kernels
