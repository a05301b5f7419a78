// Connects the merge sort's interface to the kernels of its lower tiers, which are compiled side by side in
// merge_sort_keys.cu, merge_sort_pairs.cu and merge_sort_records.cu.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/common/in_out_arrays.hpp"
#include "kernels/merge/merge_order.hpp"
#include "kernels/merge_sort/merge_sort_plan.hpp"

namespace sortie::kernels {

/// The tile shape for the items of `Order` as a type, for use as a template argument of kernels.
template <class Order>
struct TunedSortTile {
  static constexpr MergeSortTuning kTuning = merge_sort_tuning(
      sizeof(typename Order::Key), kHasValue<typename Order::Value> ? sizeof(typename Order::Value) : 0);
};

template <>
struct TunedSortTile<PairOrder> {
  static constexpr MergeSortTuning kTuning = kRecordMergeSortTuning;
};

/// Sorts each tile of the input to the same places of the output, which may be the same arrays. Stable.
template <class Order>
void sort_tiles(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::kernels
