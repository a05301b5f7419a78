// Launches the two kernels of a merge round. Only the files that compile these kernels include it.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/merge/merge_plan.hpp"
#include "kernels/merge/merge_tile.cuh"

namespace sortie::kernels {

template <class Order>
void merge_round(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                 const SortedSequences& sequences, unsigned round, void* scratch, cudaStream_t stream) {
  if (sequences.item_count == 0 || sequences.sequence_count == 0) return;
  using Shape = TunedShape<Order>;
  constexpr MergeTuning kTuning = Shape::kTuning;
  static_assert(kTuning.tile_capacity() % kTuning.stride == 0 && kTuning.group() >= 2);
  static_assert(kTuning.tile_items() >= kSmallestMergeTile);
  ScratchLayout layout(scratch);
  const std::uint64_t pair_count = merge_pair_count(sequences.sequence_count, round);
  const std::uint64_t slot_count = merge_slot_count(sequences.item_count, pair_count, kTuning);
  const MergeRound<Order> arguments{
      arrays, sequences.offsets, sequences.sequence_count,
      round,  slot_count,        merge_tiles(layout, sequences.item_count, sequences.sequence_count)};
  const unsigned plan_grid = grid_of_tiles(divide_up(slot_count, kMergePlanThreads));
  const bool overlaps = has_code_for_90(plan_merge_kernel<Order, Shape>);
  launch_overlapping(plan_merge_kernel<Order, Shape>, "merge plan kernel", {plan_grid, kMergePlanThreads}, overlaps,
                     stream, arguments, order);
  launch_overlapping(merge_tiles_kernel<Order, Shape>, "merge kernel", {grid_of_tiles(slot_count), kTuning.threads},
                     overlaps, stream, arguments, order);
}

/// Instantiates the rounds for items of these types, with keys that are their own codes and with keys that are not.
#define SORTIE_MERGE_ROUNDS_OF(Key, Value)                                                               \
  template void merge_round(const CodeOrder<Key, Value, PlainKeys>&, const InOutArrays<Key, Value>&,     \
                            const SortedSequences&, unsigned, void*, cudaStream_t);                      \
  template void merge_round(const CodeOrder<Key, Value, KeyCodec<Key>>&, const InOutArrays<Key, Value>&, \
                            const SortedSequences&, unsigned, void*, cudaStream_t);

}  // namespace sortie::kernels
