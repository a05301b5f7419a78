// The two kernels of a pass that merges up to 16 lists at a time: one merges the samples of a level and finds the
// limits of the tiles of the level below, the other one merges items. Either has a block for each tile, which gathers
// its slices of the lists into shared memory, merges them there two by two, and reads and writes each item once.
#pragma once

#include <cstdint>
#include <utility>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/common/warp_sums.cuh"
#include "kernels/merge/list_merge_plan.hpp"
#include "kernels/merge/list_rounds.hpp"
#include "kernels/merge/merge_order.hpp"
#include "kernels/merge/tile_copies.cuh"

namespace sortie::kernels {

/// Arguments of both kernels.
template <class Order>
struct ListMerge {
  InOutArrays<typename Order::Key, typename Order::Value> arrays;
  ListPass pass;
  unsigned level;
  unsigned highest_level;
  const std::uint64_t* limits;  ///< of the tiles of this level
  std::uint64_t* lower_limits;  ///< of the tiles of the level below, which the merge of samples writes

  SORTIE_HD static constexpr ListTuning tuning() {
    constexpr ListTuning kTuning = Order::kListTuning;
    return kTuning;
  }
  __device__ ListLevels levels() const { return list_levels(tuning(), pass.ways()); }
  __device__ LevelSlots slots(unsigned of_level) const {
    return level_slots(tuning(), of_level, highest_level, pass.ways());
  }
  /// The items of a list from position `begin` on, in the form that `order` compares.
  __device__ auto sequence(const Order& order, std::uint64_t begin) const {
    return order.sequence(arrays.keys_in + begin,
                          kHasValue<typename Order::Value> ? arrays.values_in + begin : nullptr);
  }
};

/// What a block knows of its tile. A slice is what the tile has of a list; empty ones are left out.
struct ListTile {
  std::uint64_t group;
  std::uint64_t rank;                        ///< items of this level of the group in front of the tile
  std::uint64_t list_begins[kMostWays + 1];  ///< positions of the lists' items, and of their end
  std::uint64_t begins[kMostWays];           ///< of the tile in each list, in items of this level
  std::uint64_t ends[kMostWays];
  unsigned slice_count;
  unsigned lists[kMostWays];       ///< of each slice
  unsigned positions[kMostWays];   ///< where the slices lie in shared memory
  unsigned starts[kMostWays + 1];  ///< numbers of items in front of each slice

  __device__ unsigned item_count() const { return starts[slice_count]; }
  /// The position of the first item of a slice, among all items.
  __device__ std::uint64_t first_item(unsigned slice, std::uint64_t unit) const {
    return list_begins[lists[slice]] + begins[lists[slice]] * unit;
  }
};

/// Items [begin, end) of a list, in items of a level.
struct ListSlice {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// What the tile of this block has of a list of `list_items` items. The lanes of the calling warp take a list each.
template <class Order>
__device__ ListSlice find_slice(const ListMerge<Order>& merge, std::uint64_t tile_index, std::uint64_t list_items) {
  const unsigned lane = threadIdx.x;
  const unsigned ways = merge.pass.ways();
  const unsigned samples_per_tile = level_tuning(merge.tuning(), merge.level).group(ways);
  const std::uint64_t samples = warp_sum(sample_count(list_items, merge.levels().unit(merge.level + 1)));
  const std::uint64_t tile_count = merge.level == merge.highest_level ? 1 : sample_count(samples, samples_per_tile);
  if (lane >= ways || tile_index >= tile_count) return {};
  const std::uint64_t* const limit = merge.limits + blockIdx.x * std::uint64_t{ways} + lane;
  const bool is_last = tile_index + 1 == tile_count;
  return {tile_index > 0 ? limit[0] : 0,
          is_last ? sample_count(list_items, merge.levels().unit(merge.level)) : limit[ways]};
}

/// Decides where the slices lie in shared memory: `count` items of the list of each lane, which begin at `phase`.
__device__ inline void lay_out_slices(unsigned count, unsigned phase, ListTile& tile) {
  const unsigned lane = threadIdx.x;
  const unsigned padded = count == 0 ? 0 : (phase + count + kPhaseItems - 1) / kPhaseItems * kPhaseItems;
  const unsigned position = warp_inclusive_sum(padded) - padded + phase;
  const unsigned start = warp_inclusive_sum(count) - count;
  const unsigned slices = __ballot_sync(~0u, count > 0);
  const unsigned slice = __popc(slices & ((1u << lane) - 1));
  if (count > 0) {
    tile.lists[slice] = lane;
    tile.positions[slice] = position;
    tile.starts[slice] = start;
  }
  if (lane == 31) {
    tile.slice_count = __popc(slices);
    tile.starts[tile.slice_count] = start + count;
  }
}

/// Finds the tile of this block. Called by its first warp.
template <class Order>
__device__ void find_tile(const ListMerge<Order>& merge, ListTile& tile) {
  const unsigned lane = threadIdx.x;
  const unsigned ways = merge.pass.ways();
  const LevelSlots slots = merge.slots(merge.level);
  const std::uint64_t group = slots.group_of(merge.pass, blockIdx.x);
  const std::uint64_t tile_index = blockIdx.x - slots.first_slot(merge.pass.list_begin(group, 0), group);
  const std::uint64_t list_begin = merge.pass.list_begin(group, min(lane, ways));
  const std::uint64_t list_end = merge.pass.list_begin(group, min(lane + 1, ways));
  const ListSlice slice = find_slice(merge, tile_index, list_end - list_begin);
  lay_out_slices(static_cast<unsigned>(slice.end - slice.begin),
                 merge.level == 0 ? phase_of(list_begin + slice.begin) : 0, tile);
  const std::uint64_t rank = warp_sum(slice.begin);
  if (lane <= ways) tile.list_begins[lane] = list_begin;
  if (lane < ways) {
    tile.begins[lane] = slice.begin;
    tile.ends[lane] = slice.end;
  }
  if (lane == 0) {
    tile.group = group;
    tile.rank = rank;
  }
}

/// The memory of a block. Slices begin where their phase says, so that there are gaps between them.
template <class Order, class Shape>
struct ListShared {
  using Key = typename Order::Key;
  using Value = typename Order::Value;
  static constexpr ListTuning kTuning = Shape::kTuning;
  static constexpr unsigned kGaps = kMostWays * 2 * (kPhaseItems - 1);
  /// A share may read `items` positions past the end, and ignores what it reads there.
  static constexpr unsigned kPositions =
      (kTuning.tile_capacity() + kGaps + kTuning.items + kPhaseItems) / kPhaseItems * kPhaseItems;

  alignas(16) Key keys[kPositions];
  alignas(16) Value values[kHasValue<Value> ? kPositions : 1];
  ListTile tile;

  /// The items from `position` on, in the form that `order` compares.
  __device__ auto sequence(const Order& order, unsigned position) const {
    return order.sequence(keys + position, kHasValue<Value> ? values + position : nullptr);
  }
};

/// Stores the merged items of a share, all of them or `count`.
template <bool kAll, class Shared, unsigned kItems, unsigned kValues>
__device__ void put_back(Shared& shared, unsigned target, unsigned count, const typename Shared::Key (&keys)[kItems],
                         const typename Shared::Value (&values)[kValues]) {
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (!kAll && k >= count) break;
    shared.keys[target + k] = keys[k];
    if constexpr (kHasValue<typename Shared::Value>) shared.values[target + k] = values[k];
  }
}

/// Merges the slices in shared memory, to positions from `phase` on. In each round each thread reads all its items
/// before it puts them back.
template <class Order, class Shape>
__device__ void merge_slices(const Order& order, unsigned phase, ListShared<Order, Shape>& shared) {
  using Value = typename Order::Value;
  constexpr unsigned kItems = Shape::kTuning.items;
  const ListTile& tile = shared.tile;
  const auto from = [&](unsigned position) { return shared.sequence(order, position); };
  for (unsigned round = 0; needs_round(tile.slice_count, round); ++round) {
    const RoundLists lists{tile.positions, tile.starts, tile.slice_count, phase, round};
    const RoundShare share = round_share(lists, threadIdx.x, kItems);
    typename Order::Key keys[kItems];
    unsigned slots[kItems];
    Value values[kHasValue<Value> ? kItems : 1];
    if (share.count > 0) {
      merge_share(lists, share, from, order, keys, slots);
      if constexpr (kHasValue<Value>) {
#pragma unroll
        for (unsigned k = 0; k < kItems; ++k) values[k] = shared.values[slots[k]];
      }
    }
    __syncthreads();
    const unsigned target = phase + lists.start(2 * share.pair) + share.first;
    if (share.count == kItems) {
      put_back<true>(shared, target, kItems, keys, values);
    } else {
      put_back<false>(shared, target, share.count, keys, values);
    }
    __syncthreads();
  }
}

/// Starts the copies of all slices. A power of two of warps copies each; if there are fewer warps than slices, each
/// warp copies several.
template <unsigned kThreads, class Item>
__device__ void copy_slices_async(const Item* in, const ListTile& tile, Item* shared) {
  constexpr unsigned kWarps = kThreads / 32;
  unsigned team_warps = 1;
  while (2 * team_warps * tile.slice_count <= kWarps) team_warps *= 2;
  const CopyTeam team{threadIdx.x % (32 * team_warps), 32 * team_warps};
  for (unsigned slice = threadIdx.x / 32 / team_warps; slice < tile.slice_count; slice += kWarps / team_warps) {
    const unsigned position = tile.positions[slice];
    copy_list_async(in + tile.first_item(slice, 1), position % kPhaseItems, tile.starts[slice + 1] - tile.starts[slice],
                    shared + position, team);
  }
}

template <class Order>
struct ListShape {
  static constexpr ListTuning kTuning = Order::kListTuning;
};

template <class Order, class Shape>
__global__ void __launch_bounds__(Shape::kTuning.threads, Shape::kTuning.blocks_per_multiprocessor)
    merge_lists_kernel(const ListMerge<Order> merge, const __grid_constant__ Order order) {
  constexpr bool kHasValues = kHasValue<typename Order::Value>;
  __shared__ ListShared<Order, Shape> shared;
  await_launch_before();
  if (threadIdx.x < 32) find_tile(merge, shared.tile);
  __syncthreads();
  const ListTile& tile = shared.tile;
  if (tile.slice_count == 0) return;
  copy_slices_async<Shape::kTuning.threads>(merge.arrays.keys_in, tile, shared.keys);
  if constexpr (kHasValues) copy_slices_async<Shape::kTuning.threads>(merge.arrays.values_in, tile, shared.values);
  await_copies();
  __syncthreads();

  const std::uint64_t out = tile.list_begins[0] + tile.rank;
  merge_slices(order, phase_of(out), shared);
  store_merged(shared.keys, phase_of(out), tile.item_count(), merge.arrays.keys_out + out);
  if constexpr (kHasValues) {
    store_merged(shared.values, phase_of(out), tile.item_count(), merge.arrays.values_out + out);
  }
}

struct SampleShape {
  static constexpr ListTuning kTuning = sample_tuning();
};

template <class Order>
using SampleOrderOf =
    decltype(sample_order(std::declval<const Order&>(), std::declval<const typename Order::Value*>()));

/// Loads the samples of the tile, with their positions as values.
template <class Order, class Shared>
__device__ void load_samples(const ListMerge<Order>& merge, Shared& shared) {
  const ListTile& tile = shared.tile;
  const std::uint64_t unit = merge.levels().unit(merge.level);
  for (unsigned slice = threadIdx.x / 32; slice < tile.slice_count; slice += sample_tuning().threads / 32) {
    const std::uint64_t first_item = tile.first_item(slice, unit);
    const unsigned target = tile.positions[slice];
    const unsigned count = tile.starts[slice + 1] - tile.starts[slice];
    for (unsigned i = threadIdx.x % 32; i < count; i += 32) {
      const std::uint64_t position = first_item + i * unit;
      shared.keys[target + i] = merge.arrays.keys_in[position];
      shared.values[target + i] = position;
    }
  }
}

/// Finds the limits of those merged samples at which tiles of the level below begin. A thread takes one list of one
/// limit at a time.
template <class Order, class Shared>
__device__ void write_limits(const ListMerge<Order>& merge, const Order& order, const SampleOrderOf<Order>& samples,
                             const Shared& shared) {
  const ListTile& tile = shared.tile;
  const unsigned ways = merge.pass.ways();
  const unsigned below = merge.level - 1;
  const unsigned samples_per_tile = level_tuning(merge.tuning(), below).group(ways);
  const std::uint64_t first_slot = merge.slots(below).first_slot(tile.list_begins[0], tile.group);
  const std::uint64_t first_tile = max(sample_count(tile.rank, samples_per_tile), std::uint64_t{1});
  const std::uint64_t end_tile = sample_count(tile.rank + tile.item_count(), samples_per_tile);
  for (std::uint64_t i = first_tile * ways + threadIdx.x; i < end_tile * ways; i += sample_tuning().threads) {
    const unsigned list = i % ways;
    const auto sample_index = static_cast<unsigned>(i / ways * samples_per_tile - tile.rank);
    const std::uint64_t position = shared.values[sample_index];
    const std::uint64_t begin = tile.list_begins[list];
    const std::uint64_t end = tile.list_begins[list + 1];
    const bool is_earlier_list = end <= position;
    std::uint64_t limit = 0;
    if (begin <= position && !is_earlier_list) {
      limit = (position - begin) / merge.levels().unit(below);
    } else {
      limit = limit_in_list(merge.sequence(order, begin), end - begin, merge.levels(), below, tile.begins[list],
                            tile.ends[list], shared.sequence(samples, 0)[sample_index], is_earlier_list, order);
    }
    merge.lower_limits[first_slot * ways + i] = limit;
  }
}

template <class Order>
__global__ void __launch_bounds__(sample_tuning().threads, sample_tuning().blocks_per_multiprocessor)
    merge_samples_kernel(const ListMerge<Order> merge, const __grid_constant__ Order order) {
  __shared__ ListShared<SampleOrderOf<Order>, SampleShape> shared;
  await_launch_before();
  if (threadIdx.x < 32) find_tile(merge, shared.tile);
  __syncthreads();
  if (shared.tile.slice_count == 0) return;
  load_samples(merge, shared);
  __syncthreads();
  const SampleOrderOf<Order> samples = sample_order(order, merge.arrays.values_in);
  merge_slices(samples, 0, shared);
  write_limits(merge, order, samples, shared);
}

}  // namespace sortie::kernels
