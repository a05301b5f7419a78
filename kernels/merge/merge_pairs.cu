// Compiles the merge kernels for keys with values.
#include "kernels/merge/list_merge_launch.cuh"
#include "kernels/merge/merge_launch.cuh"

namespace sortie::kernels {

SORTIE_MERGE_ROUNDS_OF(std::uint32_t, std::uint32_t)
SORTIE_MERGE_ROUNDS_OF(std::uint32_t, std::uint64_t)
SORTIE_MERGE_ROUNDS_OF(std::uint64_t, std::uint32_t)
SORTIE_MERGE_ROUNDS_OF(std::uint64_t, std::uint64_t)

SORTIE_LIST_PASSES_OF(std::uint32_t, std::uint32_t)
SORTIE_LIST_PASSES_OF(std::uint32_t, std::uint64_t)
SORTIE_LIST_PASSES_OF(std::uint64_t, std::uint32_t)
SORTIE_LIST_PASSES_OF(std::uint64_t, std::uint64_t)

}  // namespace sortie::kernels
