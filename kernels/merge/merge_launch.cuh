// Launches the two kernels of a merge round, or of a merge of two lists. Only the files that compile these kernels
// include it.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/merge/merge_plan.hpp"
#include "kernels/merge/merge_tile.cuh"
#include "kernels/merge/two_list_merge.cuh"

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

/// Merges two lists in one launch.
template <class Shape, class Order>
void launch_two_lists(const Order& order, const MergeRound<Order>& merge, cudaStream_t stream) {
  constexpr MergeTuning kTuning = Shape::kTuning;
  launch_overlapping(merge_two_lists_kernel<Order, Shape>, "merge kernel of two lists",
                     {grid_of_tiles(divide_up(merge.two_lists.end, kTuning.tile_capacity())), kTuning.threads},
                     has_code_for_90(merge_two_lists_kernel<Order, Shape>), stream, merge, order);
}

/// Each of these was the fastest of five shapes on an H200 for most sizes up to its bound.
template <class Order>
void merge_two(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
               const RightSides<typename Order::Key, typename Order::Value>& right, const MergePair& pair,
               void* scratch, cudaStream_t stream) {
  constexpr std::uint64_t kFewItems = std::uint64_t{1} << 18;
  constexpr std::uint64_t kMoreItems = std::uint64_t{1} << 21;
  constexpr std::uint64_t kOneLaunchBytes = std::uint64_t{1} << 27;
  constexpr std::uint64_t kItemBytes =
      sizeof(typename Order::Key) + (kHasValue<typename Order::Value> ? sizeof(typename Order::Value) : 0);
  MergeRound<Order> merge{arrays, right, pair};
  if (pair.end <= kFewItems) return launch_two_lists<FixedShape<128, 5, 8>>(order, merge, stream);
  if (pair.end <= kMoreItems) return launch_two_lists<FixedShape<256, 11, 4>>(order, merge, stream);
  if (pair.end * kItemBytes <= kOneLaunchBytes) return launch_two_lists<TunedShape<Order>>(order, merge, stream);
  ScratchLayout layout(scratch);
  merge.tiles = two_list_tiles(layout, pair.end);
  merge.slot_count = merge_slot_count(pair.end, 1, Order::kTuning);
  launch_merge_round<TunedShape<Order>>(order, merge, stream);
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
