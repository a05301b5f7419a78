// Compiles the lower tiers of the merge sort for keys without values.
#include "kernels/merge_sort/merge_sort_tile.cuh"

namespace sortie::kernels {

SORTIE_SORT_TILES_OF(std::uint32_t, NoValue)
SORTIE_SORT_TILES_OF(std::uint64_t, NoValue)

}  // namespace sortie::kernels
