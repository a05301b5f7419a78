#include "kernels/radix_sort.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/launch.hpp"
#include "kernels/radix_histogram.cuh"
#include "kernels/radix_pass.cuh"
#include "kernels/radix_plan.hpp"

namespace sortie::kernels {
namespace {

template <class Key, class Value>
struct RadixArrays {
  Key* keys;
  Key* alternate_keys;
  Value* values;
  Value* alternate_values;
};

template <class Key>
void plan_passes(const Key* keys, std::uint64_t count, BitRange bits, RadixPlan* plan, cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(plan, 0, sizeof *plan, stream), "clearing the radix histograms");
  const std::uint64_t tile_items = std::uint64_t{kRadixStreamThreads} * 4 * (16 / sizeof(Key));
  const unsigned grid = persistent_grid(divide_up(count, tile_items), kRadixStreamBlocks);
  radix_histogram_kernel<<<grid, kRadixStreamThreads, 0, stream>>>(keys, count, bits, plan);
  check_launch("radix histogram kernel");
  radix_plan_kernel<<<1, kRadixBins, 0, stream>>>(count, radix_digit_count(bits), plan);
  check_launch("radix plan kernel");
}

template <class Key, class Value>
void launch_portion(const RadixPortion<Key, Value>& portion, cudaStream_t stream) {
  constexpr RadixTuning kTuning = kRadixTuning<Key, Value>;
  constexpr std::size_t kSharedBytes = sizeof(RadixPassShared<Key, Value>);
  static_assert(kTuning.threads >= kRadixBins && kTuning.tile_items() >= kSmallestRadixTile);
  static_assert(kPortionTiles * kTuning.tile_items() <= LookBackWord<std::uint32_t>::kCountMask);
  const std::uint64_t tiles = divide_up(portion.count, kTuning.tile_items());
  check_cuda(cudaMemsetAsync(portion.launch_state, 0,
                             sizeof(RadixLaunchState) + tiles * kRadixBins * sizeof(std::uint32_t), stream),
             "clearing the radix status words");
  allow_shared_bytes(radix_pass_kernel<Key, Value>, kSharedBytes, "shared memory of the radix pass kernel");
  radix_pass_kernel<<<grid_of_tiles(tiles), kTuning.threads, kSharedBytes, stream>>>(portion);
  check_launch("radix pass kernel");
}

template <class Item>
void copy_home(const RadixPlan* plan, const Item* alternate, Item* primary, std::uint64_t count, cudaStream_t stream) {
  const unsigned grid =
      persistent_grid(divide_up(count, kRadixStreamThreads * (16 / sizeof(Item))), kRadixStreamBlocks);
  radix_copy_home_kernel<<<grid, kRadixStreamThreads, 0, stream>>>(plan, alternate, primary, count);
  check_launch("radix copy kernel");
}

template <class Key, class Value>
void radix_sort(const RadixArrays<Key, Value>& arrays, std::uint64_t count, BitRange bits, void* scratch_area,
                cudaStream_t stream) {
  assert(bits.begin <= bits.end && bits.end <= 8 * sizeof(Key));
  if (count < 2 || bits.begin == bits.end) return;
  const RadixScratch scratch = radix_scratch(scratch_area, count);
  plan_passes(arrays.keys, count, bits, scratch.plan, stream);
  const std::uint64_t portion_items = kPortionTiles * kRadixTuning<Key, Value>.tile_items();
  for (unsigned pass = 0; pass < radix_digit_count(bits); ++pass) {
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
      launch_portion(portion, stream);
    }
  }
  copy_home(scratch.plan, arrays.alternate_keys, arrays.keys, count, stream);
  if constexpr (kHasValue<Value>) copy_home(scratch.plan, arrays.alternate_values, arrays.values, count, stream);
}

}  // namespace

std::uint64_t radix_sort_scratch_bytes(std::uint64_t count) { return radix_scratch(nullptr, count).size_bytes; }

void radix_sort_keys(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  radix_sort<std::uint32_t, NoValue>({keys, alternate_keys, nullptr, nullptr}, count, bits, scratch, stream);
}

void radix_sort_keys(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  radix_sort<std::uint64_t, NoValue>({keys, alternate_keys, nullptr, nullptr}, count, bits, scratch, stream);
}

void radix_sort_pairs(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  radix_sort<std::uint32_t, std::uint32_t>({keys, alternate_keys, values, alternate_values}, count, bits, scratch,
                                           stream);
}

void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  radix_sort<std::uint64_t, std::uint32_t>({keys, alternate_keys, values, alternate_values}, count, bits, scratch,
                                           stream);
}

void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t* values,
                      std::uint64_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  radix_sort<std::uint64_t, std::uint64_t>({keys, alternate_keys, values, alternate_values}, count, bits, scratch,
                                           stream);
}

}  // namespace sortie::kernels
