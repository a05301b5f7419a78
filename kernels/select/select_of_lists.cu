#include "kernels/select/select_of_lists_launch.cuh"

namespace sortie::kernels {

std::uint64_t set_scratch_bytes(std::uint64_t count) {
  constexpr std::uint64_t kSmallestTile = ChosenSetShape<std::uint64_t, true>::kTile;
  return SetScratch(divide_up(count, kSmallestTile), nullptr).layout.size_bytes();
}

SORTIE_SELECT_OF_LISTS(std::uint8_t, ShortCodec<std::uint8_t>)
SORTIE_SELECT_OF_LISTS(std::uint16_t, ShortCodec<std::uint16_t>)
SORTIE_SELECT_OF_LISTS(std::uint32_t, KeyCodec<std::uint32_t>)
SORTIE_SELECT_OF_LISTS(std::uint64_t, KeyCodec<std::uint64_t>)

}  // namespace sortie::kernels
