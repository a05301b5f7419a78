// Compiles the merge kernels for keys without values.
#include "kernels/merge/list_merge_launch.cuh"
#include "kernels/merge/merge_launch.cuh"

namespace sortie::kernels {

SORTIE_MERGE_ROUNDS_OF(std::uint32_t, NoValue)
SORTIE_MERGE_ROUNDS_OF(std::uint64_t, NoValue)

SORTIE_LIST_PASSES_OF(std::uint32_t, NoValue)
SORTIE_LIST_PASSES_OF(std::uint64_t, NoValue)

}  // namespace sortie::kernels
