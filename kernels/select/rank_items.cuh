// Ranks of items among all items of a table, by comparing each with each: for a sample of some thousand items, or an
// input of no more. Each thread of a block keeps its part of the table in registers, and the block compares 16 items
// with all of it. There is nothing to wait for, so all multiprocessors together take less time than one needs to sort.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/common/warp_sums.cuh"

namespace sortie::kernels {

inline constexpr unsigned kRankedTogether = 16;

/// A key and the index of its item in the table: of items that are equal the first comes first.
template <class Key>
struct TableItem {
  Key key;
  unsigned index;

  __device__ friend bool operator<(const TableItem& a, const TableItem& b) {
    if constexpr (std::is_integral_v<Key> && sizeof(Key) <= 4) {
      return (std::uint64_t{a.key} << 32 | a.index) < (std::uint64_t{b.key} << 32 | b.index);
    } else {
      // Without branches, at which lanes would part.
      return (static_cast<unsigned>(a.key < b.key) |
              (static_cast<unsigned>(!(b.key < a.key)) & static_cast<unsigned>(a.index < b.index))) != 0;
    }
  }
};

template <class Key>
struct TableRanks {
  Key keys[kRankedTogether];                   ///< of the items that are ranked
  unsigned packed_ranks[kRankedTogether / 2];  ///< two in a word

  __device__ unsigned rank(unsigned i) const { return packed_ranks[i / 2] >> (16 * (i % 2)) & 0xffff; }
};

/// The sum of the values of all lanes, in the first one at least.
__device__ inline unsigned sum_of_lanes(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
  return warp_sum(value);
#endif
}

/// Ranks items [first, first + kRankedTogether) of a table of which thread t of kThreads has items k * kThreads + t.
/// Precondition: fewer than 2^16 items. Items behind the end of the table have the highest key. Called by a whole
/// block; begins and ends with a barrier.
template <unsigned kThreads, unsigned kOwn, class Key>
__device__ void rank_items(const Key (&own)[kOwn], unsigned first, TableRanks<Key>& shared) {
  static_assert(kThreads % kRankedTogether == 0 && kThreads * kOwn < 1U << 16);
  __syncthreads();
  if (threadIdx.x < kRankedTogether / 2) shared.packed_ranks[threadIdx.x] = 0;
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    const unsigned offset = k * kThreads + threadIdx.x - first;  // an index of `own` would put it into local memory
    if (offset < kRankedTogether) shared.keys[offset] = own[k];
  }
  __syncthreads();
#pragma unroll
  for (unsigned pair = 0; pair < kRankedTogether / 2; ++pair) {
    const TableItem<Key> even{shared.keys[2 * pair], first + 2 * pair};
    const TableItem<Key> odd{shared.keys[2 * pair + 1], first + 2 * pair + 1};
    unsigned before = 0;
#pragma unroll
    for (unsigned k = 0; k < kOwn; ++k) {
      const TableItem<Key> item{own[k], k * kThreads + threadIdx.x};
      if (item < even) before += 1;
      if (item < odd) before += 1U << 16;
    }
    const unsigned sum = sum_of_lanes(before);
    if (threadIdx.x % 32 == 0) atomicAdd(&shared.packed_ranks[pair], sum);
  }
  __syncthreads();
}

}  // namespace sortie::kernels
