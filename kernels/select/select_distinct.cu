#include "kernels/select/compact_items.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {
namespace {

/// The first, or last, item of each row of equal keys.
template <class Bits>
struct DistinctItems {
  ListItems<Bits> items;
  KeptItems<Bits> out;
  ValueCopy copy_value;
  bool keeps_last;

  __device__ bool keeps(std::uint64_t i) const {
    if (keeps_last) return i + 1 == items.count || items.keys[i] != items.keys[i + 1];
    return i == 0 || items.keys[i] != items.keys[i - 1];
  }

  __device__ void move(std::uint64_t i, std::uint64_t target) const {
    out.keys[target] = items.keys[i];
    if (out.value_bytes != 0) copy_value(items.values + i * out.value_bytes, out.values + target * out.value_bytes);
  }
};

}  // namespace

std::uint64_t select_scratch_bytes(std::uint64_t count) {
  ScratchLayout layout;
  return select_scan(layout, count).size_bytes;
}

template <class Bits>
void select_distinct(const ListItems<Bits>& items, KeptRepeat kept, const KeptItems<Bits>& out, void* scratch,
                     cudaStream_t stream) {
  const ValueCopy copy_value = ValueCopy::of(out.value_bytes, items.values, nullptr, out.values);
  const DistinctItems<Bits> selection{items, out, copy_value, kept == KeptRepeat::kLast};
  compact_items(selection, items.count, out.count, scratch, stream);
}

#define SORTIE_SELECT_DISTINCT_OF(Bits) \
  template void select_distinct(const ListItems<Bits>&, KeptRepeat, const KeptItems<Bits>&, void*, cudaStream_t);

SORTIE_SELECT_DISTINCT_OF(std::uint8_t)
SORTIE_SELECT_DISTINCT_OF(std::uint16_t)
SORTIE_SELECT_DISTINCT_OF(std::uint32_t)
SORTIE_SELECT_DISTINCT_OF(std::uint64_t)

#undef SORTIE_SELECT_DISTINCT_OF

}  // namespace sortie::kernels
