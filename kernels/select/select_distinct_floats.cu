#include "kernels/select/select_distinct_launch.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

template <class Bits>
void select_distinct_floats(const FloatFormat& format, const ListItems<Bits>& items, KeptRepeat kept,
                            const KeptItems<Bits>& out, void* scratch, cudaStream_t stream) {
  launch_distinct_items(items, kept, out, values_of<Bits>(format), scratch, stream);
}

#define SORTIE_SELECT_DISTINCT_FLOATS_OF(Bits)                                                                         \
  template void select_distinct_floats(const FloatFormat&, const ListItems<Bits>&, KeptRepeat, const KeptItems<Bits>&, \
                                       void*, cudaStream_t);

SORTIE_SELECT_DISTINCT_FLOATS_OF(std::uint16_t)
SORTIE_SELECT_DISTINCT_FLOATS_OF(std::uint32_t)
SORTIE_SELECT_DISTINCT_FLOATS_OF(std::uint64_t)

#undef SORTIE_SELECT_DISTINCT_FLOATS_OF

}  // namespace sortie::kernels
