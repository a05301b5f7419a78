// Steps of bitonic sorting in registers: what warp_sort.cuh and block_sort.cuh are made of, and the device-wide
// bitonic sort with them.
//
// A team of kThreads threads, a power of two, holds kItems items each, neighbours in the list: thread t of the team has
// items [t * kItems, (t + 1) * kItems). kItems is 1, 2, 4, ... or three times that. A merge of two sorted halves is one
// mirrored step and then straight ones. All comparators point up: the item that comes first goes to the lower position.
//
//   mirrored step of size 8    0-7 1-6 2-5 3-4
//   straight step of size 4    0-2 1-3 4-6 5-7
//   straight step of size 2    0-1 2-3 4-5 6-7
//
// Threads are numbered by threadIdx.x: blocks have one dimension, and whole warps. All lanes of a warp make a step
// together. `before(x, y)` says whether x comes strictly before y. The network is not stable.
//
// Batcher, "Sorting Networks and their Applications", 1968.
#pragma once

#include <cstring>
#include <type_traits>

#include <sortie/cuda/thread_sort.hpp>

namespace sortie::cuda {

/// Whether a thread may hold so many items.
SORTIE_HOST_DEVICE constexpr bool is_network_size(unsigned items) {
  while (items > 3 && items % 2 == 0) items /= 2;
  return items >= 1 && items <= 3;
}

/// A key and what travels with it. As an item in registers and in shared memory, its members are moved apart.
template <class Key, class Value>
struct KeyValue {
  Key key;
  Value value;
};

/// The item of lane ^ mask. It is any trivially copyable type; numbers of 4 and 8 bytes are fastest.
template <class Item>
__device__ __forceinline__ Item shuffle_xor(const Item& item, unsigned mask) {
  static_assert(std::is_trivially_copyable_v<Item>);
  constexpr unsigned kAllLanes = 0xffffffff;
  if constexpr (std::is_arithmetic_v<Item> && (sizeof(Item) == 4 || sizeof(Item) == 8)) {
    return __shfl_xor_sync(kAllLanes, item, mask);
  } else {
    constexpr unsigned kWords = (sizeof(Item) + sizeof(unsigned) - 1) / sizeof(unsigned);
    unsigned words[kWords] = {};
    memcpy(words, &item, sizeof(Item));
#pragma unroll
    for (unsigned w = 0; w < kWords; ++w) words[w] = __shfl_xor_sync(kAllLanes, words[w], mask);
    Item other;
    memcpy(&other, words, sizeof(Item));
    return other;
  }
}
template <class Key, class Value>
__device__ __forceinline__ KeyValue<Key, Value> shuffle_xor(const KeyValue<Key, Value>& item, unsigned mask) {
  return {shuffle_xor(item.key, mask), shuffle_xor(item.value, mask)};
}

template <class Item, class Before>
__device__ __forceinline__ void compare_exchange(Item& low, Item& high, const Before& before) {
  if (!before(high, low)) return;
  const Item item = low;
  low = high;
  high = item;
}

/// Merges one thread's kCount items, which are bitonic, into sorted order.
template <unsigned kCount, class Item, class Before>
__device__ __forceinline__ void merge_items(Item* items, const Before& before) {
  if constexpr (kCount == 3) {  // sorts any three items
    compare_exchange(items[0], items[1], before);
    compare_exchange(items[1], items[2], before);
    compare_exchange(items[0], items[1], before);
  } else if constexpr (kCount > 1) {
    constexpr unsigned kHalf = kCount / 2;
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) compare_exchange(items[i], items[i + kHalf], before);
    merge_items<kHalf>(items, before);
    merge_items<kHalf>(items + kHalf, before);
  }
}

/// Sorts one thread's kCount items.
template <unsigned kCount, class Item, class Before>
__device__ __forceinline__ void sort_items(Item* items, const Before& before) {
  if constexpr (kCount == 3) {
    merge_items<3>(items, before);
  } else if constexpr (kCount > 1) {
    constexpr unsigned kHalf = kCount / 2;
    sort_items<kHalf>(items, before);
    sort_items<kHalf>(items + kHalf, before);
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) compare_exchange(items[i], items[kCount - 1 - i], before);
    merge_items<kHalf>(items, before);
    merge_items<kHalf>(items + kHalf, before);
  }
}

/// Whether items of which neither comes before the other are the same bit for bit, so that it does not matter which of
/// two threads keeps which: then a step takes one comparison in place of two. An order says so by a constant kIsTotal.
template <class Before, class Item>
inline constexpr bool kIsTotalOrder = std::is_integral_v<Item> &&
                                      (std::is_same_v<Before, Less> || std::is_same_v<Before, Greater>);
template <class Before, class Item>
requires(Before::kIsTotal) inline constexpr bool kIsTotalOrder<Before, Item> = true;

/// Keeps the item that belongs here: the thread's own or the one it met; of two that tie, each thread its own. `other`
/// is passed by value, because the compiler would turn a choice between two references into a branch.
template <class Item, class Before>
__device__ __forceinline__ void keep_item(Item& item, const Item other, bool keeps_low, const Before& before) {
  if constexpr (kIsTotalOrder<Before, Item>) {
    if (before(other, item) == keeps_low) item = other;
  } else {
    if (keeps_low ? before(other, item) : before(item, other)) item = other;
  }
}

/// A step between lanes: every item meets the item of lane ^ mask in the same position, or in the mirrored one. No
/// more than two items of the other lane are here at once, because wide teams have no registers for all.
template <bool kMirrored, unsigned kItems, class Item, class Before>
__device__ __forceinline__ void exchange_in_warp(Item* items, unsigned mask, bool keeps_low, const Before& before) {
#pragma unroll
  for (unsigned r = 0; r < (kMirrored ? (kItems + 1) / 2 : kItems); ++r) {
    const unsigned met = kMirrored ? kItems - 1 - r : r;
    const Item other = shuffle_xor(items[met], mask);
    if (met != r) keep_item(items[met], shuffle_xor(items[r], mask), keeps_low, before);
    keep_item(items[r], other, keeps_low, before);
  }
}

/// A step between threads of a block, through `shared`, which has room for all items: load(i) and store(i, item).
template <bool kMirrored, unsigned kThreads, unsigned kItems, class Item, class Shared, class Before>
__device__ __forceinline__ void exchange_in_block(Item* items, unsigned mask, bool keeps_low, const Shared& shared,
                                                  const Before& before) {
  const unsigned other = threadIdx.x ^ mask;
#pragma unroll
  for (unsigned r = 0; r < kItems; ++r) shared.store(r * kThreads + threadIdx.x, items[r]);
  __syncthreads();
#pragma unroll
  for (unsigned r = 0; r < kItems; ++r) {
    const unsigned met = kMirrored ? kItems - 1 - r : r;
    keep_item(items[r], static_cast<Item>(shared.load(met * kThreads + other)), keeps_low, before);
  }
  __syncthreads();
}

template <bool kMirrored, unsigned kThreads, unsigned kItems, class Item, class Shared, class Before>
__device__ __forceinline__ void exchange(Item* items, unsigned mask, bool keeps_low, const Shared& shared,
                                         const Before& before) {
  if constexpr (kThreads > 32) {
    if (mask >= 32) {
      return exchange_in_block<kMirrored, kThreads, kItems>(items, mask, keeps_low, shared, before);
    }
  }
  exchange_in_warp<kMirrored, kItems>(items, mask, keeps_low, before);
}

/// Sorts the team's items. A block is one team if kThreads > 32; then it synchronises, and the first store to `shared`
/// may come before other threads are here. Teams within a warp do not touch `shared`.
template <unsigned kThreads, class Item, unsigned kItems, class Shared, class Before>
__device__ __forceinline__ void sort_team(Item (&items)[kItems], const Shared& shared, const Before& before) {
  sort_items<kItems>(items, before);
#pragma unroll 1
  for (unsigned threads = 2; threads <= kThreads; threads *= 2) {  // threads whose items are merged
    exchange<true, kThreads, kItems>(items, threads - 1, (threadIdx.x & (threads / 2)) == 0, shared, before);
#pragma unroll 1
    for (unsigned mask = threads / 4; mask > 0; mask /= 2) {
      exchange<false, kThreads, kItems>(items, mask, (threadIdx.x & mask) == 0, shared, before);
    }
    merge_items<kItems>(items, before);
  }
}

/// Sorts kBatch lists at once, each with one item a thread, so that their shuffles are under way together.
template <unsigned kThreads, class Item, unsigned kBatch, class Before>
__device__ __forceinline__ void sort_batch(Item (&items)[kBatch], const Before& before) {
  static_assert(kThreads <= 32);
  const auto step = [&](unsigned mask, bool keeps_low) {
    exchange_in_warp<false, kBatch>(items, mask, keeps_low, before);
  };
#pragma unroll
  for (unsigned threads = 2; threads <= kThreads; threads *= 2) {
    step(threads - 1, (threadIdx.x & (threads / 2)) == 0);
#pragma unroll
    for (unsigned mask = threads / 4; mask > 0; mask /= 2) step(mask, (threadIdx.x & mask) == 0);
  }
}

}  // namespace sortie::cuda
