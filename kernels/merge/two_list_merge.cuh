// The kernels of a merge of two lists, whose tiles have equal numbers of items. Where a tile begins in the lists is
// found by a whole warp, which looks at 32 places at a time: to look at one place after the other takes longer than the
// rest of a merge of up to 2^22 items. Few items are merged in one launch, whose blocks find their limits themselves;
// of many, the blocks of an SM would all wait for their first reads.
#pragma once

#include <cstdint>

#include "kernels/merge/merge_tile.cuh"

namespace sortie::kernels {

inline constexpr unsigned kLimitThreads = 128;  ///< of the blocks that find limits, one for each warp

/// merge_path() by all lanes of a warp: 33 parts at a time, so that log(33) reads follow each other, not log(2).
template <class Sequence, class Before>
__device__ std::uint64_t merge_path_of_warp(const Sequence& a, std::uint64_t a_count, const Sequence& b,
                                            std::uint64_t b_count, std::uint64_t diagonal, const Before& before) {
  std::uint64_t low = diagonal > b_count ? diagonal - b_count : 0;
  std::uint64_t high = diagonal < a_count ? diagonal : a_count;
  const unsigned lane = threadIdx.x % 32;
  while (low < high) {
    const std::uint64_t step = (high - low + 32) / 33;
    const std::uint64_t at = low + (lane + 1) * step - 1;
    const bool takes_a = at < high && !before(b[diagonal - 1 - at], a[at]);
    const unsigned taken = __popc(__ballot_sync(~0u, takes_a));
    low += taken * step;
    if (taken < 32 && low + step - 1 < high) high = low + step - 1;
  }
  return low;
}

/// The number of items of the first list in front of a diagonal. Called by a whole warp.
template <class Order>
__device__ std::uint64_t limit_of_lists(const MergeRound<Order>& round, const Order& order, std::uint64_t diagonal) {
  const MergePair& pair = round.two_lists;
  return merge_path_of_warp(round.left_side(order, 0), pair.a_count(), round.right_side(order, pair.b_begin),
                            pair.b_count(), diagonal, order);
}

template <class Order>
__device__ MergeTile tile_of_lists(const MergeRound<Order>& round, std::uint64_t begin, std::uint64_t end,
                                   std::uint64_t a_begin, std::uint64_t a_end) {
  const std::uint64_t b = round.two_lists.b_begin;
  return {a_begin, a_end, b + begin - a_begin, b + end - a_end, begin};
}

/// Finds the limit in front of a tile, one for each warp.
template <class Order, class Shape>
__global__ void __launch_bounds__(kLimitThreads)
    limit_tiles_kernel(const MergeRound<Order> round, const __grid_constant__ Order order) {
  await_launch_before();
  constexpr unsigned kTile = Shape::kTuning.tile_capacity();
  const std::uint64_t count = round.two_lists.end;
  const std::uint64_t tile = (std::uint64_t{blockIdx.x} * kLimitThreads + threadIdx.x) / 32;
  if (tile >= round.slot_count) return;
  const std::uint64_t begin = tile * kTile;
  const std::uint64_t limit = limit_of_lists(round, order, begin);
  if (threadIdx.x % 32 != 0) return;
  const bool is_last = tile + 1 == round.slot_count;
  const MergeTile own = tile_of_lists(round, begin, count, limit, round.two_lists.b_begin);
  round.tiles[tile].a_begin = own.a_begin;
  round.tiles[tile].b_begin = own.b_begin;
  round.tiles[tile].out_begin = own.out_begin;
  if (is_last) {
    round.tiles[tile].a_end = own.a_end;
    round.tiles[tile].b_end = own.b_end;
  }
  if (tile > 0) {
    round.tiles[tile - 1].a_end = own.a_begin;
    round.tiles[tile - 1].b_end = own.b_begin;
  }
}

/// Merges a tile whose limits the block finds itself.
template <class Order, class Shape>
__global__ void __launch_bounds__(Shape::kTuning.threads, Shape::kTuning.blocks_per_multiprocessor)
    merge_two_lists_kernel(const MergeRound<Order> round, const __grid_constant__ Order order) {
  constexpr unsigned kTile = Shape::kTuning.tile_capacity();
  static_assert(Shape::kTuning.threads >= 64, "a warp for each limit");
  __shared__ MergeShared<Order, Shape> shared;
  __shared__ std::uint64_t limits[2];
  await_launch_before();
  const std::uint64_t count = round.two_lists.end;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kTile;
  const std::uint64_t end = count - begin < kTile ? count : begin + kTile;
  if (threadIdx.x < 64) {
    const std::uint64_t limit = limit_of_lists(round, order, threadIdx.x < 32 ? begin : end);
    if (threadIdx.x % 32 == 0) limits[threadIdx.x / 32] = limit;
  }
  __syncthreads();
  merge_tile(round, order, tile_of_lists(round, begin, end, limits[0], limits[1]), shared);
}

}  // namespace sortie::kernels
