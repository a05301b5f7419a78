#include "kernels/select/select_distinct_launch.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

std::uint64_t select_scratch_bytes(std::uint64_t count) {
  constexpr std::uint64_t kMostBegin = 15;  // items of a byte in front of the first one
  ScratchLayout layout;
  return scan_state(layout, divide_up(count + kMostBegin, kSmallestDistinctTile)).size_bytes;
}

template <class Bits>
void select_distinct(const ListItems<Bits>& items, KeptRepeat kept, const KeptItems<Bits>& out, void* scratch,
                     cudaStream_t stream) {
  launch_distinct_items(items, kept, out, SameBits(), scratch, stream);
}

#define SORTIE_SELECT_DISTINCT_OF(Bits) \
  template void select_distinct(const ListItems<Bits>&, KeptRepeat, const KeptItems<Bits>&, void*, cudaStream_t);

SORTIE_SELECT_DISTINCT_OF(std::uint8_t)
SORTIE_SELECT_DISTINCT_OF(std::uint16_t)
SORTIE_SELECT_DISTINCT_OF(std::uint32_t)
SORTIE_SELECT_DISTINCT_OF(std::uint64_t)

#undef SORTIE_SELECT_DISTINCT_OF

}  // namespace sortie::kernels
