// The launches of a radix sort, in order: histograms, plan, the portions of every pass, the copy home.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "kernels/launch.hpp"
#include "kernels/radix_histogram.cuh"
#include "kernels/radix_pass.cuh"
#include "kernels/radix_plan.hpp"

namespace sortie::kernels {

template <class Key, class Value>
struct RadixArrays {
  Key* keys;
  Key* alternate_keys;
  Value* values;
  Value* alternate_values;
};

template <class Key>
void launch_radix_plan(const Key* keys, std::uint64_t count, BitRange bits, RadixPlan* plan, cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(plan, 0, sizeof *plan, stream), "clearing the radix histograms");
  const unsigned grid = persistent_grid(divide_up(count, kHistogramTile<Key>), kRadixStreamBlocks);
  radix_histogram_kernel<<<grid, kRadixStreamThreads, 0, stream>>>(keys, count, bits, plan);
  check_launch("radix histogram kernel");
  radix_plan_kernel<<<1, kRadixBins, 0, stream>>>(count, radix_digit_count(bits), plan);
  check_launch("radix plan kernel");
}

template <RadixShape kShape, class Key, class Value>
void launch_radix_portion(const RadixPortion<Key, Value>& portion, cudaStream_t stream) {
  constexpr RadixTuning kTuning = kRadixTuning<Key, Value, kShape>;
  constexpr std::size_t kSharedBytes = sizeof(RadixPassShared<Key, Value, kShape>);
  static_assert(kTuning.threads >= kRadixBins && kTuning.tile_items() >= kSmallestRadixTile);
  static_assert(kPortionTiles * kTuning.tile_items() <= LookBackWord<std::uint32_t>::kCountMask);
  const std::uint64_t tiles = divide_up(portion.count, kTuning.tile_items());
  check_cuda(cudaMemsetAsync(portion.launch_state, 0,
                             sizeof(RadixLaunchState) + tiles * kRadixBins * sizeof(std::uint32_t), stream),
             "clearing the radix status words");
  allow_shared_bytes(radix_pass_kernel<Key, Value, kShape>, kSharedBytes, "shared memory of the radix pass kernel");
  radix_pass_kernel<Key, Value, kShape><<<grid_of_tiles(tiles), kTuning.threads, kSharedBytes, stream>>>(portion);
  check_launch("radix pass kernel");
}

template <class Item>
void launch_radix_copy_home(const RadixPlan* plan, const Item* alternate, Item* primary, std::uint64_t count,
                            cudaStream_t stream) {
  const std::uint64_t tile_items = kRadixStreamThreads * (16 / sizeof(Item));
  const unsigned grid = persistent_grid(divide_up(count, tile_items), kRadixStreamBlocks);
  radix_copy_home_kernel<<<grid, kRadixStreamThreads, 0, stream>>>(plan, alternate, primary, count);
  check_launch("radix copy kernel");
}

/// Pass `pass` in all its portions. The device decides which digit that is, and whether there is such a pass.
template <RadixShape kShape, class Key, class Value>
void launch_radix_pass(const RadixArrays<Key, Value>& arrays, std::uint64_t count, BitRange bits, unsigned pass,
                       const RadixScratch& scratch, cudaStream_t stream) {
  const std::uint64_t portion_items = kPortionTiles * kRadixTuning<Key, Value, kShape>.tile_items();
  const bool forth = pass % 2 == 0;
  RadixPortion<Key, Value> portion{};
  portion.keys_out = forth ? arrays.alternate_keys : arrays.keys;
  portion.values_out = forth ? arrays.alternate_values : arrays.values;
  portion.bits = bits;
  portion.pass = pass;
  portion.plan = scratch.plan;
  portion.launch_state = scratch.launch_state;
  portion.status = scratch.status;
  for (std::uint64_t begin = 0; begin < count; begin += portion_items, ++portion.portion) {
    portion.keys_in = (forth ? arrays.keys : arrays.alternate_keys) + begin;
    if constexpr (kHasValue<Value>) portion.values_in = (forth ? arrays.values : arrays.alternate_values) + begin;
    portion.count = std::min(portion_items, count - begin);
    launch_radix_portion<kShape>(portion, stream);
  }
}

template <RadixShape kShape, class Key, class Value>
void launch_radix_sort(const RadixArrays<Key, Value>& arrays, std::uint64_t count, BitRange bits, void* scratch_area,
                       cudaStream_t stream) {
  assert(bits.begin <= bits.end && bits.end <= 8 * sizeof(Key));
  if (count < 2 || bits.begin == bits.end) return;
  const RadixScratch scratch = radix_scratch(scratch_area, count);
  launch_radix_plan(arrays.keys, count, bits, scratch.plan, stream);
  for (unsigned pass = 0; pass < radix_digit_count(bits); ++pass) {
    launch_radix_pass<kShape>(arrays, count, bits, pass, scratch, stream);
  }
  launch_radix_copy_home(scratch.plan, arrays.alternate_keys, arrays.keys, count, stream);
  if constexpr (kHasValue<Value>) {
    launch_radix_copy_home(scratch.plan, arrays.alternate_values, arrays.values, count, stream);
  }
}

}  // namespace sortie::kernels
