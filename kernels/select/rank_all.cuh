// Few items are ranked among each other in one launch; the rank of an item is its place.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/rank_items.cuh"
#include "kernels/select/sample_selection.cuh"

namespace sortie::kernels {

template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kSampleSelectThreads)
    rank_all_kernel(const __grid_constant__ SampleSelection<Bits, Codec, Position> selection) {
  __shared__ Bits table[kMostRankedItems];
  __shared__ unsigned ranks[kRankedTogether];
  await_launch_before();
  const auto count = static_cast<unsigned>(selection.input.count);
  for (unsigned i = threadIdx.x; i < count; i += kSampleSelectThreads) table[i] = selection.input.keys[i];
  const unsigned first = blockIdx.x * kRankedTogether;
  rank_items<kSampleSelectThreads>(table, count, first, ranks);
  const unsigned own = first + threadIdx.x;
  if (threadIdx.x >= kRankedTogether || own >= count || ranks[threadIdx.x] >= selection.selected_count) return;
  selection.write_selected(ranks[threadIdx.x], PlacedCode<Bits, Position>::of(table[own], own));
}

}  // namespace sortie::kernels
