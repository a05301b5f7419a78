// Connects the merge's interface to its kernels, which are compiled side by side in merge_keys.cu, merge_pairs.cu and
// merge_records.cu.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/common/in_out_arrays.hpp"
#include "kernels/merge.hpp"

namespace sortie::kernels {

/// Launches round `round`. `Order` is a type from merge_order.hpp.
template <class Order>
void merge_round(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                 const SortedSequences& sequences, unsigned round, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
