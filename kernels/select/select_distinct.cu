#include "kernels/select/distinct_items.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

std::uint64_t select_scratch_bytes(std::uint64_t count) {
  ScratchLayout layout;
  return scan_state(layout, divide_up(count, kSmallestDistinctTile)).size_bytes;
}

template <class Bits>
void select_distinct(const ListItems<Bits>& items, KeptRepeat kept, const KeptItems<Bits>& out, void* scratch,
                     cudaStream_t stream) {
  if (items.count == 0) {
    check_cuda(cudaMemsetAsync(out.count, 0, sizeof *out.count, stream), "clearing the number of items kept");
    return;
  }
  DistinctCall<Bits> call{items,
                          out,
                          ValueCopy::of(out.value_bytes, items.values, nullptr, out.values),
                          kept == KeptRepeat::kLast,
                          divide_up(items.count, kDistinctTile<Bits>),
                          {}};
  if (call.tile_count > 1) {
    ScratchLayout layout(scratch);
    call.scan = scan_state(layout, call.tile_count);
    const std::uint64_t words = call.scan.size_bytes / sizeof(std::uint64_t);
    clear_words_kernel<<<grid_of_tiles(divide_up(words, kDistinctThreads)), kDistinctThreads, 0, stream>>>(
        static_cast<std::uint64_t*>(scratch), words);
    check_launch("kernel that clears the words of a selection");
  }
  const auto kernel = keep_distinct_kernel<Bits>;
  launch_overlapping(kernel, "kernel that keeps distinct items",
                     {persistent_grid(call.tile_count, kDistinctBlocks), kDistinctThreads},
                     call.tile_count > 1 && has_code_for_90(kernel), stream, call);
}

#define SORTIE_SELECT_DISTINCT_OF(Bits) \
  template void select_distinct(const ListItems<Bits>&, KeptRepeat, const KeptItems<Bits>&, void*, cudaStream_t);

SORTIE_SELECT_DISTINCT_OF(std::uint8_t)
SORTIE_SELECT_DISTINCT_OF(std::uint16_t)
SORTIE_SELECT_DISTINCT_OF(std::uint32_t)
SORTIE_SELECT_DISTINCT_OF(std::uint64_t)

#undef SORTIE_SELECT_DISTINCT_OF

}  // namespace sortie::kernels
