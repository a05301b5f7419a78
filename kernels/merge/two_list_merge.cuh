// The kernel of a merge of two lists in one launch: each block finds the limits of its tile itself, and all tiles but
// the last have equal numbers of items. A warp finds a limit: it looks at 32 places at a time, as to look at one place
// after the other takes longer than the rest of the merge of a tile. So many reads at places of their own would take
// long in a merge of very many items, which has its limits found before (merge_tile.cuh).
#pragma once

#include <cstdint>

#include "kernels/merge/merge_tile.cuh"
#include "kernels/merge/warp_merge_path.cuh"

namespace sortie::kernels {

/// Tiles of a merge of few items.
template <unsigned kThreads, unsigned kItems, unsigned kBlocks>
struct FixedShape {
  static constexpr MergeTuning kTuning{kThreads, kItems, 1, kBlocks};
};

/// The number of items of the first list in front of a diagonal. Called by a whole warp.
template <class Order>
__device__ std::uint64_t limit_of_lists(const MergeRound<Order>& merge, const Order& order, std::uint64_t diagonal) {
  const MergePair& pair = merge.two_lists;
  return merge_path_of_warp(merge.left_side(order, 0), pair.a_count(), merge.right_side(order, pair.b_begin),
                            pair.b_count(), diagonal, order);
}

template <class Order, class Shape>
__global__ void __launch_bounds__(Shape::kTuning.threads, Shape::kTuning.blocks_per_multiprocessor)
    merge_two_lists_kernel(const MergeRound<Order> merge, const __grid_constant__ Order order) {
  constexpr unsigned kTile = Shape::kTuning.tile_capacity();
  static_assert(Shape::kTuning.threads >= 64, "a warp for each limit");
  __shared__ MergeShared<Order, Shape> shared;
  __shared__ std::uint64_t limits[2];
  await_launch_before();
  const MergePair& pair = merge.two_lists;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kTile;
  const std::uint64_t end = pair.end - begin < kTile ? pair.end : begin + kTile;
  if (threadIdx.x < 64) {
    const std::uint64_t limit = limit_of_lists(merge, order, threadIdx.x < 32 ? begin : end);
    if (threadIdx.x % 32 == 0) limits[threadIdx.x / 32] = limit;
  }
  __syncthreads();
  const MergeTile tile{limits[0], limits[1], pair.b_begin + begin - limits[0], pair.b_begin + end - limits[1], begin};
  merge_tile(merge, order, tile, shared);
}

}  // namespace sortie::kernels
