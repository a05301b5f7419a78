// Launches the two kernels of a merge round, or of a merge of two lists. Only the files that compile these kernels
// include it.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/merge/merge_plan.hpp"
#include "kernels/merge/merge_tile.cuh"

namespace sortie::kernels {

template <class Shape, class Order>
void launch_merge_round(const Order& order, const MergeRound<Order>& round, cudaStream_t stream) {
  constexpr MergeTuning kTuning = Shape::kTuning;
  static_assert(kTuning.tile_capacity() % kTuning.stride == 0 && kTuning.group() >= 2);
  const unsigned plan_grid = grid_of_tiles(divide_up(round.slot_count, kMergePlanThreads));
  const bool overlaps = has_code_for_90(plan_merge_kernel<Order, Shape>);
  launch_overlapping(plan_merge_kernel<Order, Shape>, "merge plan kernel", {plan_grid, kMergePlanThreads}, overlaps,
                     stream, round, order);
  launch_overlapping(merge_tiles_kernel<Order, Shape>, "merge kernel",
                     {grid_of_tiles(round.slot_count), kTuning.threads}, overlaps, stream, round, order);
}

template <class Order>
void merge_round(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                 const SortedSequences& sequences, unsigned round, void* scratch, cudaStream_t stream) {
  static_assert(Order::kTuning.tile_items() >= kSmallestMergeTile);
  if (sequences.item_count == 0 || sequences.sequence_count == 0) return;
  ScratchLayout layout(scratch);
  const std::uint64_t pair_count = merge_pair_count(sequences.sequence_count, round);
  MergeRound<Order> arguments{arrays, {arrays.keys_in, arrays.values_in, 0}};
  arguments.offsets = sequences.offsets;
  arguments.sequence_count = sequences.sequence_count;
  arguments.round = round;
  arguments.slot_count = merge_slot_count(sequences.item_count, pair_count, Order::kTuning);
  arguments.tiles = merge_tiles(layout, sequences.item_count, sequences.sequence_count);
  launch_merge_round<TunedShape<Order>>(order, arguments, stream);
}

template <class Order>
void merge_two(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
               const RightSides<typename Order::Key, typename Order::Value>& right, const MergePair& pair,
               void* scratch, cudaStream_t stream) {
  ScratchLayout layout(scratch);
  MergeRound<Order> arguments{arrays, right, pair};
  arguments.tiles = two_list_tiles(layout, pair.end);
  if (pair.end <= kMostSmallMergeItems) {
    arguments.slot_count = merge_slot_count(pair.end, 1, kSmallMergeTuning);
    launch_merge_round<SmallShape>(order, arguments, stream);
  } else {
    arguments.slot_count = merge_slot_count(pair.end, 1, Order::kTuning);
    launch_merge_round<TunedShape<Order>>(order, arguments, stream);
  }
}

/// Instantiates the rounds for items of these types, with keys that are their own codes and with keys that are not.
#define SORTIE_MERGE_ROUNDS_OF(Key, Value)                                                               \
  template void merge_round(const CodeOrder<Key, Value, PlainKeys>&, const InOutArrays<Key, Value>&,     \
                            const SortedSequences&, unsigned, void*, cudaStream_t);                      \
  template void merge_round(const CodeOrder<Key, Value, KeyCodec<Key>>&, const InOutArrays<Key, Value>&, \
                            const SortedSequences&, unsigned, void*, cudaStream_t);                      \
  template void merge_two(const CodeOrder<Key, Value, PlainKeys>&, const InOutArrays<Key, Value>&,       \
                          const RightSides<Key, Value>&, const MergePair&, void*, cudaStream_t);         \
  template void merge_two(const CodeOrder<Key, Value, KeyCodec<Key>>&, const InOutArrays<Key, Value>&,   \
                          const RightSides<Key, Value>&, const MergePair&, void*, cudaStream_t);

}  // namespace sortie::kernels
