// Launches the kernel of the merge sort's lower tiers. Only the files that compile this kernel include it.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/merge_sort/merge_sort_tile.cuh"

namespace sortie::kernels {

template <class Order>
void sort_tiles(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                std::uint64_t count, cudaStream_t stream) {
  if (count == 0) return;
  using Shape = TunedSortTile<Order>;
  constexpr MergeSortTuning kTuning = Shape::kTuning;
  static_assert(kTuning.tile_items() >= kSmallestMergeSortTile);
  constexpr unsigned kSharedBytes = SortTile<Order, Shape>::kSharedBytes;
  static_assert(kSharedBytes <= 48 * 1024, "what every block may have unasked");
  merge_sort_tile_kernel<Order, Shape>
      <<<grid_of_tiles(divide_up(count, kTuning.tile_items())), kTuning.threads, kSharedBytes, stream>>>(arrays, count,
                                                                                                         order);
  check_launch("merge sort tile kernel");
}

/// Instantiates the lower tiers for items of these types. Keys are encoded as they are loaded.
#define SORTIE_SORT_TILES_OF(Key, Value)                                                                               \
  template void sort_tiles(const CodeOrder<Key, Value, KeyCodec<Key>>&, const InOutArrays<Key, Value>&, std::uint64_t, \
                           cudaStream_t);

}  // namespace sortie::kernels
