// Merges a thread's share of two sides in shared memory, one item after the other, in registers. For the tiles of the
// sample-rank merge and of the merge sort.
#pragma once

#include "kernels/merge/merge_order.hpp"

namespace sortie::kernels {

/// Two sides as ranges of one array.
struct MergeSides {
  unsigned a_begin;
  unsigned a_end;
  unsigned b_begin;
  unsigned b_end;

  __device__ unsigned a_count() const { return a_end - a_begin; }
  __device__ unsigned b_count() const { return b_end - b_begin; }
  __device__ unsigned count() const { return a_count() + b_count(); }
};

/// Whether the next merged item is from b. A guard of b comes before no item.
template <SideEnds kEnds, class Item, class Order>
__device__ bool takes_b(const Item& next_a, bool a_left, const Item& next_b, bool b_left, const Order& before) {
  if constexpr (kEnds == SideEnds::kGuards) {
    return before(next_b, next_a);
  } else if constexpr (kEnds == SideEnds::kBGuard) {
    return !a_left || before(next_b, next_a);
  } else {
    return b_left && (!a_left || before(next_b, next_a));
  }
}

/// Merges kItems items, which begin at positions a and b. Sets keys[k] to item k as `before` compares it, and slots[k]
/// to its position. Reads up to one item past the end of either side, or kItems behind guards, and ignores it.
template <SideEnds kEnds, unsigned kItems, class Sequence, class Order>
__device__ void merge_serially(const Sequence& positions, unsigned a, unsigned b, const MergeSides& sides,
                               const Order& before, typename Order::Key (&keys)[kItems], unsigned (&slots)[kItems]) {
  auto next_a = positions[a];
  auto next_b = positions[b];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const bool take_b = takes_b<kEnds>(next_a, a < sides.a_end, next_b, b < sides.b_end, before);
    keys[k] = before.key_of(take_b ? next_b : next_a);
    slots[k] = take_b ? b : a;
    a += take_b ? 0 : 1;
    b += take_b ? 1 : 0;
    const auto next = positions[take_b ? b : a];
    next_a = take_b ? next_a : next;
    next_b = take_b ? next : next_b;
  }
}

}  // namespace sortie::kernels
