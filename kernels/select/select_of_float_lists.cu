#include "kernels/select/select_of_lists_launch.cuh"

namespace sortie::kernels {

SORTIE_SELECT_OF_LISTS(std::uint16_t, ValueCodec<std::uint16_t>)
SORTIE_SELECT_OF_LISTS(std::uint32_t, ValueCodec<std::uint32_t>)
SORTIE_SELECT_OF_LISTS(std::uint64_t, ValueCodec<std::uint64_t>)

}  // namespace sortie::kernels
