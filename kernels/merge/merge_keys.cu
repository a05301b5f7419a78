// Compiles the merge kernels for keys without values.
#include "kernels/merge/merge_launch.cuh"

namespace sortie::kernels {

SORTIE_MERGE_ROUNDS_OF(std::uint32_t, NoValue)
SORTIE_MERGE_ROUNDS_OF(std::uint64_t, NoValue)

}  // namespace sortie::kernels
