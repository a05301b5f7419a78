// Bitonic sorting in registers, for the bitonic sort of tiles and arrays. Each thread of a team holds kItems items,
// neighbours in the list; a sorted team ascends from thread to thread, and loads and stores in that order.
// A team is 1, 2, 4, ... 32 neighbouring lanes of a warp, which exchange by shuffles, or a block of whole warps, which
// exchange through shared memory too. kItems is 1, 2, 4, ... or three times that.
#pragma once

#include <cstdint>

#include "kernels/bitonic/bitonic_arrays.cuh"
#include "kernels/bitonic/bitonic_plan.hpp"

namespace sortie::kernels {

/// Synchronises the threads that share a tile: a warp, or the block if it is one team.
template <BitonicTeam kTeam>
__device__ void synchronise_tile() {
  if constexpr (kTeam.threads > 32) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}

/// Sorts the first `count` items of `arrays`, which may be none, with all threads of the team. All teams of a warp
/// call it at once. `tile` has padded_items() of the warp's or the block's shared memory.
template <BitonicTeam kTeam, class Arrays>
__device__ void sort_by_team(const Arrays& arrays, unsigned count, const typename Arrays::Tile& tile) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kThreads = kTeam.threads;
  const unsigned lane = threadIdx.x % kThreads;
  const Arrays own = arrays.from(lane);
  const int left = static_cast<int>(count) - static_cast<int>(lane);
  typename Tile::Item items[kTeam.items];
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    items[r] = left > static_cast<int>(r * kThreads) ? own.load(r * kThreads) : Tile::infinity();
  }
  sort_team<kThreads>(items, tile);

  const unsigned thread = threadIdx.x % (kThreads > 32 ? kThreads : 32);
  const unsigned team_position = thread / kThreads * kTeam.capacity();
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    tile.store(padded_position(thread * kTeam.items + r, Tile::kItemBytes), items[r]);
  }
  synchronise_tile<kTeam>();
#pragma unroll
  for (unsigned r = 0; r < kTeam.items; ++r) {
    if (left <= static_cast<int>(r * kThreads)) break;
    own.store(r * kThreads, tile.load(padded_position(team_position + r * kThreads + lane, Tile::kItemBytes)));
  }
  synchronise_tile<kTeam>();
}

template <class Arrays>
__device__ __forceinline__ void compare_exchange_items(typename Arrays::Item& low, typename Arrays::Item& high) {
  if (!Arrays::before(high, low)) return;
  const typename Arrays::Item item = low;
  low = high;
  high = item;
}

/// Merges one thread's items, which are bitonic, into sorted order.
template <class Arrays, unsigned kCount>
__device__ __forceinline__ void merge_items(typename Arrays::Item* items) {
  if constexpr (kCount == 3) {  // sorts any three items
    compare_exchange_items<Arrays>(items[0], items[1]);
    compare_exchange_items<Arrays>(items[1], items[2]);
    compare_exchange_items<Arrays>(items[0], items[1]);
  } else if constexpr (kCount > 1) {
    constexpr unsigned kHalf = kCount / 2;
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) compare_exchange_items<Arrays>(items[i], items[i + kHalf]);
    merge_items<Arrays, kHalf>(items);
    merge_items<Arrays, kHalf>(items + kHalf);
  }
}

/// Sorts one thread's items.
template <class Arrays, unsigned kCount>
__device__ __forceinline__ void sort_items(typename Arrays::Item* items) {
  if constexpr (kCount == 3) {
    merge_items<Arrays, 3>(items);
  } else if constexpr (kCount > 1) {
    constexpr unsigned kHalf = kCount / 2;
    sort_items<Arrays, kHalf>(items);
    sort_items<Arrays, kHalf>(items + kHalf);
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) compare_exchange_items<Arrays>(items[i], items[kCount - 1 - i]);
    merge_items<Arrays, kHalf>(items);
    merge_items<Arrays, kHalf>(items + kHalf);
  }
}

/// Keeps the item that belongs here: the thread's own or the one it met. `other` is passed by value, because the
/// compiler would turn a choice between two references into a branch.
template <class Arrays>
__device__ __forceinline__ void keep_item(typename Arrays::Item& item, const typename Arrays::Item other,
                                          bool keeps_low) {
  if (Arrays::before(other, item) == keeps_low) item = other;
}

/// A step between lanes: every item meets the item of lane ^ mask in the same position, or in the mirrored one. No
/// more than two items of the other lane are here at once, because wide teams have no registers for all.
template <class Arrays, bool kMirrored, unsigned kItems>
__device__ __forceinline__ void exchange_in_warp(typename Arrays::Item* items, unsigned mask, bool keeps_low) {
#pragma unroll
  for (unsigned r = 0; r < (kMirrored ? (kItems + 1) / 2 : kItems); ++r) {
    const unsigned met = kMirrored ? kItems - 1 - r : r;
    const typename Arrays::Item other = Arrays::shuffle_xor(items[met], mask);
    if (met != r) keep_item<Arrays>(items[met], Arrays::shuffle_xor(items[r], mask), keeps_low);
    keep_item<Arrays>(items[r], other, keeps_low);
  }
}

/// A step between threads of a block, through `shared`, which has room for all items.
template <class Arrays, bool kMirrored, unsigned kThreads, unsigned kItems>
__device__ __forceinline__ void exchange_in_block(typename Arrays::Item* items, unsigned mask, bool keeps_low,
                                                  const Arrays& shared) {
  const unsigned other = threadIdx.x ^ mask;
#pragma unroll
  for (unsigned r = 0; r < kItems; ++r) shared.store(r * kThreads + threadIdx.x, items[r]);
  __syncthreads();
#pragma unroll
  for (unsigned r = 0; r < kItems; ++r) {
    keep_item<Arrays>(items[r], shared.load((kMirrored ? kItems - 1 - r : r) * kThreads + other), keeps_low);
  }
  __syncthreads();
}

template <class Arrays, bool kMirrored, unsigned kThreads, unsigned kItems>
__device__ __forceinline__ void exchange(typename Arrays::Item* items, unsigned mask, bool keeps_low,
                                         const Arrays& shared) {
  if constexpr (kThreads > 32) {
    if (mask >= 32) return exchange_in_block<Arrays, kMirrored, kThreads, kItems>(items, mask, keeps_low, shared);
  }
  exchange_in_warp<Arrays, kMirrored, kItems>(items, mask, keeps_low);
}

/// Sorts the team's items. Teams within a warp do not touch `shared`.
template <unsigned kThreads, class Arrays, unsigned kItems>
__device__ __forceinline__ void sort_team(typename Arrays::Item (&items)[kItems], const Arrays& shared) {
  sort_items<Arrays, kItems>(items);
#pragma unroll 1
  for (unsigned threads = 2; threads <= kThreads; threads *= 2) {  // threads whose items are merged
    exchange<Arrays, true, kThreads, kItems>(items, threads - 1, (threadIdx.x & (threads / 2)) == 0, shared);
#pragma unroll 1
    for (unsigned mask = threads / 4; mask > 0; mask /= 2) {
      exchange<Arrays, false, kThreads, kItems>(items, mask, (threadIdx.x & mask) == 0, shared);
    }
    merge_items<Arrays, kItems>(items);
  }
}

/// Sorts kBatch lists at once, each with one item per thread, so that their shuffles are under way together.
template <unsigned kThreads, class Arrays, unsigned kBatch>
__device__ __forceinline__ void sort_batch(typename Arrays::Item (&items)[kBatch]) {
  static_assert(kThreads <= 32);
  const auto step = [&](unsigned mask, bool keeps_low) {
    exchange_in_warp<Arrays, false, kBatch>(items, mask, keeps_low);
  };
#pragma unroll
  for (unsigned threads = 2; threads <= kThreads; threads *= 2) {
    step(threads - 1, (threadIdx.x & (threads / 2)) == 0);
#pragma unroll
    for (unsigned mask = threads / 4; mask > 0; mask /= 2) step(mask, (threadIdx.x & mask) == 0);
  }
}

}  // namespace sortie::kernels
