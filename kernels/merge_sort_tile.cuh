// The lower two tiers of the merge sort: a block sorts a tile in shared memory.
#pragma once

#include <cstdint>

#include "kernels/item_arrays.hpp"
#include "kernels/merge_sort_plan.hpp"

namespace sortie::kernels {

template <class Key, bool kHasValues>
inline constexpr MergeSortTuning kMergeSortTuning = merge_sort_tuning(sizeof(Key) + (kHasValues ? 4 : 0));

/// An array of kItems items in the block's shared memory.
template <unsigned kItems, class Key>
__device__ KeyArray<Key> shared_items(const KeyArray<Key>&) {
  __shared__ Key keys[kItems];
  return {keys};
}

template <unsigned kItems, class Key>
__device__ PairArray<Key> shared_items(const PairArray<Key>&) {
  __shared__ Key keys[kItems];
  __shared__ std::uint32_t values[kItems];
  return {keys, values};
}

/// One thread per merge: lists of kListItems into lists of twice as many.
template <unsigned kListItems, class Arrays, class Before>
__device__ void merge_by_threads(const Arrays& tile, unsigned count, const Before& before) {
  const unsigned begin = threadIdx.x * 2 * kListItems;
  if (begin < count) {
    const unsigned middle = begin + kListItems < count ? begin + kListItems : count;
    const unsigned end = middle + kListItems < count ? middle + kListItems : count;
    typename Arrays::Item merged[2 * kListItems];
    merge_in_registers(tile, begin, middle, end, merged, before);
#pragma unroll
    for (unsigned k = 0; k < 2 * kListItems; ++k) {
      if (begin + k < end) tile.store(begin + k, merged[k]);
    }
  }
  __syncthreads();
}

/// All threads of the block: lists of `list_items` into lists of twice as many.
template <unsigned kItems, class Arrays, class Before>
__device__ void merge_by_block(const Arrays& tile, unsigned list_items, unsigned count, const Before& before) {
  typename Arrays::Item items[kItems];
  unsigned places[kItems];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned place = threadIdx.x + k * blockDim.x;
    if (place >= count) break;
    items[k] = tile.load(place);
    places[k] = merged_place(tile, place, list_items, count, before);
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (threadIdx.x + k * blockDim.x >= count) break;
    tile.store(places[k], items[k]);
  }
  __syncthreads();
}

/// Sorts each tile of `in` to the same places of `out`, which may be the same arrays.
template <class In, class Out, class Before>
__global__ void __launch_bounds__(kMergeSortTuning<typename In::Key, In::kHasValues>.threads)
    merge_sort_tile_kernel(const In in, const Out out, std::uint64_t count, const __grid_constant__ Before before) {
  constexpr MergeSortTuning kTuning = kMergeSortTuning<typename In::Key, In::kHasValues>;
  constexpr unsigned kItems = MergeSortTuning::kThreadItems;
  const In tile = shared_items<kTuning.tile_items()>(in);
  const std::uint64_t tile_begin = std::uint64_t{blockIdx.x} * kTuning.tile_items();
  const std::uint64_t left = count - tile_begin;
  const unsigned tile_count = left < kTuning.tile_items() ? static_cast<unsigned>(left) : kTuning.tile_items();

  const unsigned first = threadIdx.x * kItems;
  const unsigned own_count = first >= tile_count ? 0 : tile_count - first < kItems ? tile_count - first : kItems;
  typename In::Item items[kItems];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (k < own_count) items[k] = in.load(tile_begin + first + k);
  }
  sort_in_registers(items, own_count, before);
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (k < own_count) tile.store(first + k, items[k]);
  }
  __syncthreads();

  static_assert(MergeSortTuning::kThreadMergedItems == 2 * kItems);
  merge_by_threads<kItems>(tile, tile_count, before);
  for (unsigned list_items = 2 * kItems; list_items < tile_count; list_items *= 2) {
    merge_by_block<kItems>(tile, list_items, tile_count, before);
  }
  for (unsigned i = threadIdx.x; i < tile_count; i += kTuning.threads) {
    const typename In::Item item = tile.load(i);
    if constexpr (In::kHasValues) {
      out.store(tile_begin + i, {item.key, item.value});
    } else {
      out.store(tile_begin + i, {item.key});
    }
  }
}

}  // namespace sortie::kernels
