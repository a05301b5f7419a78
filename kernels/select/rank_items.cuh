// Ranks of items among all items of a table, by comparing each with each: for a sample of some thousand items, or an
// input of no more. A block ranks 16 items of the table that it has in shared memory; of items that are equal the first
// comes first. There is nothing to wait for, so all multiprocessors together take less time than one needs to sort.
#pragma once

#include <cstdint>

namespace sortie::kernels {

inline constexpr unsigned kRankedTogether = 16;

/// The number of items in `table` that come before item `own`, among items `first`, first + step, first + 2 * step, ...
template <class Item>
__device__ unsigned count_before(const Item* table, unsigned count, unsigned own, unsigned first, unsigned step) {
  const Item item = table[own];
  unsigned before = 0;
  unsigned i = first;
#pragma unroll 8
  for (; i < own; i += step) before += item < table[i] ? 0 : 1;
#pragma unroll 8
  for (; i < count; i += step) before += table[i] < item ? 1 : 0;
  return before;
}

/// Sets ranks[i] to the rank of item first + i of the `count` items of `table`. Called by a whole block of kThreads.
/// `table` and `ranks` are in shared memory. Begins and ends with a barrier.
template <unsigned kThreads, class Item>
__device__ void rank_items(const Item* table, unsigned count, unsigned first, unsigned (&ranks)[kRankedTogether]) {
  static_assert(kThreads % 32 == 0 && 32 % kRankedTogether == 0);
  constexpr unsigned kParts = kThreads / kRankedTogether;
  if (threadIdx.x < kRankedTogether) ranks[threadIdx.x] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % kRankedTogether;
  const unsigned own = first + lane;
  unsigned before = own < count ? count_before(table, count, own, threadIdx.x / kRankedTogether, kParts) : 0;
#pragma unroll
  for (unsigned mask = 16; mask >= kRankedTogether; mask /= 2) before += __shfl_xor_sync(~0u, before, mask);
  if (threadIdx.x % 32 < kRankedTogether) atomicAdd(&ranks[lane], before);
  __syncthreads();
}

}  // namespace sortie::kernels
