// The two kernels of a merge round: one thread per tile finds the tile's limits, then one block per tile merges it in
// shared memory.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/merge/merge_order.hpp"
#include "kernels/merge/merge_path.hpp"
#include "kernels/merge/merge_plan.hpp"
#include "kernels/merge/merge_serial.cuh"
#include "kernels/merge/tile_copies.cuh"

namespace sortie::kernels {

inline constexpr unsigned kMergePlanThreads = 128;

/// The shape of an order's tiles as a type, for use as a template argument of kernels.
template <class Order>
struct TunedShape {
  static constexpr MergeTuning kTuning = Order::kTuning;
};

/// Arguments of both kernels. Without offsets it is the merge of two lists that may lie apart.
template <class Order>
struct MergeRound {
  using Key = typename Order::Key;
  using Value = typename Order::Value;

  InOutArrays<Key, Value> arrays;  ///< of the left sides, and of the output
  RightSides<Key, Value> right;
  MergePair two_lists{};                   ///< if there are no offsets
  const std::uint64_t* offsets = nullptr;  ///< of the sequences; null for two lists
  std::uint32_t sequence_count = 2;
  unsigned round = 0;
  std::uint64_t slot_count = 0;
  MergeTile* tiles = nullptr;

  __device__ std::uint64_t pair_of(std::uint64_t slot) const {
    constexpr MergeTuning kTuning = Order::kTuning;
    if (offsets == nullptr) return 0;
    return pair_of_slot(offsets, merge_pair_count(sequence_count, round), round, slot, kTuning);
  }
  __device__ MergePair pair(std::uint64_t index) const {
    return offsets == nullptr ? two_lists : merge_pair(offsets, sequence_count, round, index);
  }
  /// The left and the right side from item `begin` on, in the form that `order` compares.
  __device__ auto left_side(const Order& order, std::uint64_t begin) const {
    return order.sequence(arrays.keys_in + begin, kHasValue<Value> ? arrays.values_in + begin : nullptr);
  }
  __device__ auto right_side(const Order& order, std::uint64_t begin) const {
    return order.sequence(right.keys + begin, kHasValue<Value> ? right.values + begin : nullptr);
  }
};

/// Finds a limit, which is the beginning of a tile and the end of the one before it.
template <class Order, class Shape>
__global__ void __launch_bounds__(kMergePlanThreads)
    plan_merge_kernel(const MergeRound<Order> round, const __grid_constant__ Order order) {
  await_launch_before();
  constexpr MergeTuning kTuning = Shape::kTuning;
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * kMergePlanThreads + threadIdx.x;
  if (slot >= round.slot_count) return;
  const std::uint64_t pair_index = round.pair_of(slot);
  const MergePair pair = round.pair(pair_index);
  const std::uint64_t tile = slot - merge_slot(pair.a_begin, pair_index, kTuning);
  const std::uint64_t tile_count = merge_tile_count(pair, kTuning);
  if (tile >= tile_count) {
    round.tiles[slot] = {};
    return;
  }
  const auto a = round.left_side(order, pair.a_begin);
  const auto b = round.right_side(order, pair.b_begin);
  const MergeSplit limit =
      sample_limit(a, pair.a_count(), b, pair.b_count(), kTuning.stride, tile * kTuning.group(), order);
  round.tiles[slot].a_begin = pair.a_begin + limit.a;
  round.tiles[slot].b_begin = pair.b_begin + limit.b;
  round.tiles[slot].out_begin = pair.a_begin + limit.a + limit.b;
  if (tile > 0) {
    round.tiles[slot - 1].a_end = pair.a_begin + limit.a;
    round.tiles[slot - 1].b_end = pair.b_begin + limit.b;
  }
  if (tile + 1 == tile_count) {
    round.tiles[slot].a_end = pair.b_begin;
    round.tiles[slot].b_end = pair.end;
  }
}

/// Layout of a tile's two sides in shared memory.
///
///   | phase | a | guards | phase | b | guard |      of keys: a guard is the largest key. It stands for items of
///                                                   a side that has run out, so that the end is not checked
template <class Order, class Shape>
struct MergeShared {
  using Key = typename Order::Key;
  using Value = typename Order::Value;
  static constexpr MergeTuning kTuning = Shape::kTuning;
  /// Bare keys may be taken from a's guards in place of equal keys of b.
  static constexpr unsigned kGuards = Order::kEnds == SideEnds::kGuards ? kTuning.items + 1 : 1;
  /// The serial merges may read up to `items` positions past the end, and ignore what they read there.
  static constexpr unsigned kPositions = kTuning.tile_capacity() + kGuards + kTuning.items + 4 * kPhaseItems;

  alignas(16) Key keys[kPositions];
  alignas(16) Value values[kHasValue<Value> ? kPositions : 1];

  /// The items from `position` on, in the form that `order` compares.
  __device__ auto sequence(const Order& order, unsigned position) const {
    return order.sequence(keys + position, kHasValue<Value> ? values + position : nullptr);
  }
};

__device__ inline MergeSides sides_in_shared(const MergeTile& tile, unsigned guards, unsigned right_shift) {
  MergeSides sides;
  sides.a_begin = phase_of(tile.a_begin);
  sides.a_end = sides.a_begin + static_cast<unsigned>(tile.a_end - tile.a_begin);
  sides.b_begin =
      (sides.a_end + guards + kPhaseItems - 1) / kPhaseItems * kPhaseItems + phase_of(tile.b_begin + right_shift);
  sides.b_end = sides.b_begin + static_cast<unsigned>(tile.b_end - tile.b_begin);
  return sides;
}

template <class Item>
__device__ void copy_sides_async(const Item* left, const Item* right, const MergeTile& tile, const MergeSides& sides,
                                 Item* shared) {
  const CopyTeam block{threadIdx.x, blockDim.x};
  copy_any_list_async(left + tile.a_begin, phase_of(sides.a_begin), sides.a_count(), shared + sides.a_begin, block);
  copy_any_list_async(right + tile.b_begin, phase_of(sides.b_begin), sides.b_count(), shared + sides.b_begin, block);
}

/// Merges the tile in shared memory. Each thread reads all its items, and then puts them back in merged order, from
/// position `phase` on.
template <class Order, class Shape>
__device__ void merge_in_shared(const Order& order, const MergeSides& sides, unsigned phase,
                                MergeShared<Order, Shape>& shared) {
  using Value = typename Order::Value;
  constexpr unsigned kItems = Shape::kTuning.items;
  typename Order::Key keys[kItems];
  unsigned slots[kItems];
  const unsigned first = threadIdx.x * kItems;
  const unsigned diagonal = min(first, sides.count());
  const unsigned a = merge_path<unsigned>(shared.sequence(order, sides.a_begin), sides.a_count(),
                                          shared.sequence(order, sides.b_begin), sides.b_count(), diagonal, order);
  merge_serially<Order::kEnds>(shared.sequence(order, 0), sides.a_begin + a, sides.b_begin + diagonal - a, sides, order,
                               keys, slots);
  Value values[kHasValue<Value> ? kItems : 1];
  if constexpr (kHasValue<Value>) {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) values[k] = shared.values[slots[k]];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    shared.keys[phase + first + k] = keys[k];
    if constexpr (kHasValue<Value>) shared.values[phase + first + k] = values[k];
  }
  __syncthreads();
}

/// Merges a tile. Called by a whole block.
template <class Order, class Shape>
__device__ void merge_tile(const MergeRound<Order>& round, const Order& order, const MergeTile& tile,
                           MergeShared<Order, Shape>& shared) {
  using Shared = MergeShared<Order, Shape>;
  constexpr bool kHasValues = kHasValue<typename Order::Value>;
  const MergeSides sides = sides_in_shared(tile, Shared::kGuards, round.right.phase_shift);
  const unsigned count = sides.count();
  if (count == 0) return;
  copy_sides_async(round.arrays.keys_in, round.right.keys, tile, sides, shared.keys);
  if constexpr (kHasValues) {
    copy_sides_async(round.arrays.values_in, round.right.values, tile, sides, shared.values);
  }
  if (threadIdx.x < Shared::kGuards) shared.keys[sides.a_end + threadIdx.x] = order.largest_key();
  if (threadIdx.x == 0) shared.keys[sides.b_end] = order.largest_key();
  await_copies();
  __syncthreads();

  const unsigned phase = phase_of(tile.out_begin);
  merge_in_shared(order, sides, phase, shared);
  store_merged(shared.keys, phase, count, round.arrays.keys_out + tile.out_begin);
  if constexpr (kHasValues) store_merged(shared.values, phase, count, round.arrays.values_out + tile.out_begin);
}

template <class Order, class Shape>
__global__ void __launch_bounds__(Shape::kTuning.threads, Shape::kTuning.blocks_per_multiprocessor)
    merge_tiles_kernel(const MergeRound<Order> round, const __grid_constant__ Order order) {
  __shared__ MergeShared<Order, Shape> shared;
  await_launch_before();
  const MergeTile tile = round.tiles[blockIdx.x];  // in registers: stores could change what lies in memory
  merge_tile(round, order, tile, shared);
}

}  // namespace sortie::kernels
