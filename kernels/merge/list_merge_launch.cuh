// Launches the kernels of a pass that merges several lists at a time. Only the files that compile these kernels include
// it.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/merge/list_merge_plan.hpp"
#include "kernels/merge/list_merge_tile.cuh"

namespace sortie::kernels {

template <class Order>
void merge_list_pass(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                     const ListPass& pass, std::uint64_t item_count, void* scratch, cudaStream_t stream) {
  constexpr ListTuning kTuning = Order::kListTuning;
  static_assert(groups_exceed_ways(kTuning) && groups_exceed_ways(sample_tuning()) && kTuning.threads >= 64);
  const unsigned highest = highest_level(item_count, pass.ways(), kTuning);
  ScratchLayout layout(scratch);
  const ListLimits limits = list_limits(layout, pass, item_count, kTuning);
  const bool overlaps = has_code_for_90(merge_lists_kernel<Order, ListShape<Order>>);
  for (unsigned level = highest;; --level) {
    std::uint64_t* const lower_limits = level == 0 ? nullptr : limits.of_level[level - 1];
    const ListMerge<Order> merge{arrays, pass, level, highest, limits.of_level[level], lower_limits};
    const LevelSlots slots = level_slots(kTuning, level, highest, pass.ways());
    const unsigned grid = grid_of_tiles(slots.first_slot(item_count, pass.group_count()));
    if (level == 0) {
      return launch_overlapping(merge_lists_kernel<Order, ListShape<Order>>, "list merge kernel",
                                {grid, kTuning.threads}, overlaps, stream, merge, order);
    }
    launch_overlapping(merge_samples_kernel<Order>, "kernel that merges samples", {grid, sample_tuning().threads},
                       overlaps, stream, merge, order);
  }
}

/// Instantiates the passes for items of these types, with keys that are their own codes and with keys that are not.
#define SORTIE_LIST_PASSES_OF(Key, Value)                                                                    \
  template void merge_list_pass(const CodeOrder<Key, Value, PlainKeys>&, const InOutArrays<Key, Value>&,     \
                                const ListPass&, std::uint64_t, void*, cudaStream_t);                        \
  template void merge_list_pass(const CodeOrder<Key, Value, KeyCodec<Key>>&, const InOutArrays<Key, Value>&, \
                                const ListPass&, std::uint64_t, void*, cudaStream_t);

}  // namespace sortie::kernels
