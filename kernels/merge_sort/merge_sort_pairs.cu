// Compiles the lower tiers of the merge sort for keys with values.
#include "kernels/merge_sort/merge_sort_tile.cuh"

namespace sortie::kernels {

SORTIE_SORT_TILES_OF(std::uint32_t, std::uint32_t)
SORTIE_SORT_TILES_OF(std::uint32_t, std::uint64_t)
SORTIE_SORT_TILES_OF(std::uint64_t, std::uint32_t)
SORTIE_SORT_TILES_OF(std::uint64_t, std::uint64_t)

}  // namespace sortie::kernels
