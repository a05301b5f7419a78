// Few items are ranked among each other in one launch; the rank of an item is its place.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/rank_items.cuh"
#include "kernels/select/sample_selection.cuh"

namespace sortie::kernels {

/// kOwn: items of a thread; together as many as there are, or more.
template <class Bits, class Codec, class Position, unsigned kOwn>
__global__ void __launch_bounds__(kSampleSelectThreads)
    rank_all_kernel(const __grid_constant__ SampleSelection<Bits, Codec, Position> selection) {
  __shared__ TableRanks<Bits> shared;
  await_launch_before();
  const auto count = static_cast<unsigned>(selection.input.count);
  Bits own[kOwn];
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned i = k * kSampleSelectThreads + threadIdx.x;
    own[k] = i < count ? selection.input.keys[i] : static_cast<Bits>(~Bits{0});
  }
  const unsigned first = blockIdx.x * kRankedTogether;
  rank_items<kSampleSelectThreads>(own, first, shared);
  const unsigned i = first + threadIdx.x;
  if (threadIdx.x >= kRankedTogether || i >= count || shared.rank(threadIdx.x) >= selection.selected_count) return;
  selection.write_selected(shared.rank(threadIdx.x), PlacedCode<Bits, Position>::of(shared.keys[threadIdx.x], i));
}

}  // namespace sortie::kernels
