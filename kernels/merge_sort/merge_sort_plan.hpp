// Index arithmetic of the merge sort: the shape of a tile, and each thread's share of the merges in it. Host and
// device functions.
//
//   tile   | 17 | 17 | 17 | 17 | ...     each thread sorts a list of its own in registers (register_sort.hpp),
//          |   34    |   34    | ...     then all threads merge all lists of the tile two by two: a thread's
//          |        68         | ...     share is as many items as it has, which begin where merge_path() says
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "base/host_device.hpp"
#include "kernels/common/item_arrays.hpp"
#include "kernels/merge/merge_order.hpp"

namespace sortie::kernels {

struct MergeSortTuning {
  unsigned threads;                    ///< per block; a power of two
  unsigned items;                      ///< items of a tile per thread; odd, to spread over the banks of shared memory
  unsigned blocks_per_multiprocessor;  ///< blocks that the compiler must leave registers for

  SORTIE_HD constexpr unsigned tile_items() const { return threads * items; }
};

/// Each shape was the fastest of some five on an H200, sorting 2^28 uniform items (tools/bench/RESULTS-kernels.md),
/// among those whose shared memory stays within 48 KB, when tiles were merged two by two. value_bytes is 0 for keys
/// alone.
SORTIE_HD constexpr MergeSortTuning merge_sort_tuning(std::size_t key_bytes, std::size_t value_bytes) {
  if (value_bytes != 0) return key_bytes == 4 ? MergeSortTuning{256, 17, 4} : MergeSortTuning{256, 17, 3};
  return key_bytes == 4 ? MergeSortTuning{256, 33, 4} : MergeSortTuning{256, 17, 4};
}

/// Tuning for pairs whose ties are broken by their records. Not measured.
inline constexpr MergeSortTuning kRecordMergeSortTuning{256, 9, 2};

/// The smallest tile of any merge sort, which gives the most lists to merge.
inline constexpr unsigned kSmallestMergeSortTile = kRecordMergeSortTuning.tile_items();

/// The part of the merge of two neighbouring lists in shared memory that one thread does.
struct MergeShare {
  unsigned begin;       ///< where the two lists begin
  unsigned list_items;  ///< items of each list
  unsigned diagonal;    ///< merged items that the threads before it take
};

/// The share of `thread` when lists are merged two by two. A list holds the items of `list_threads` threads, a power
/// of two.
SORTIE_HD constexpr MergeShare merge_share(unsigned thread, unsigned list_threads, unsigned items) {
  const unsigned first_thread = thread & ~(2 * list_threads - 1);
  return {first_thread * items, list_threads * items, (thread - first_thread) * items};
}

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

/// Sorts each tile of the input to the same positions of the output, which may be the same arrays. Stable. The kernels
/// are compiled side by side in merge_sort_keys.cu, merge_sort_pairs.cu and merge_sort_records.cu.
template <class Order>
void sort_tiles(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::kernels
