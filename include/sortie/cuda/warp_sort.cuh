// Sorts of a few items by one warp, or by a part of it, that a kernel can call. Items are in registers, they are
// exchanged by shuffles, and no shared memory is used.
//
//   std::uint32_t keys[4];                 // 128 keys of a warp, any 4 in each lane
//   sortie::cuda::warp_sort(keys);         // lane 0 has the first 4, lane 1 the next, ...
//
// The shape: kItems items a lane, 1, 2, 4, ... or three times that. Teams of kLanes neighbouring lanes, 1, 2, 4, ...
// 32, sort their kLanes * kItems items each by themselves; after the sort, lane l of a team has items [l * kItems, (l +
// 1) * kItems) of the team's order. All 32 lanes call together; the calls synchronise the warp and nobody else. Blocks
// have one dimension, and whole warps. To sort fewer items, fill the rest with items that come last.
//
// Batcher's bitonic network: log2(n)² / 2 comparators an item for teams of n items. Not stable; if equal keys are to
// keep their order, sort pairs by both, with the position as the value. What an item is: any trivially copyable type;
// numbers of 4 and 8 bytes are fastest. The device-wide bitonic sort is made of the same steps.
//
// Batcher, "Sorting Networks and their Applications", 1968. Compute capability 7.0 and above, C++20.
#pragma once

#include <sortie/cuda/bitonic_steps.cuh>
#include <sortie/cuda/thread_sort.hpp>

namespace sortie::cuda {

/// Compares pairs by their keys alone.
template <class Before>
struct KeyOrder {
  Before before;

  template <class Key, class Value>
  __device__ bool operator()(const KeyValue<Key, Value>& a, const KeyValue<Key, Value>& b) const {
    return before(a.key, b.key);
  }
};

/// A key, or a key with its value. Value is void if there is none.
template <class Key, class Value>
struct ItemTypeOf {
  using Type = KeyValue<Key, Value>;
};
template <class Key>
struct ItemTypeOf<Key, void> {
  using Type = Key;
};
template <class Key, class Value>
using ItemOf = typename ItemTypeOf<Key, Value>::Type;

/// Calls sort(pairs) with the keys and values of a thread as pairs.
template <class Key, class Value, unsigned kItems, class Sort>
__device__ __forceinline__ void with_pairs(Key (&keys)[kItems], Value (&values)[kItems], const Sort& sort) {
  KeyValue<Key, Value> pairs[kItems];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) pairs[k] = {keys[k], values[k]};
  sort(pairs);
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    keys[k] = pairs[k].key;
    values[k] = pairs[k].value;
  }
}

/// Stands in for the shared memory that a warp does not need.
struct NoShared {};

/// Sorts the items of each team of kLanes lanes. `before(x, y)` says whether x comes strictly before y.
template <unsigned kLanes = 32, class Item, unsigned kItems, class Before = Less>
__device__ __forceinline__ void warp_sort(Item (&items)[kItems], const Before& before = {}) {
  static_assert(kLanes >= 1 && kLanes <= 32 && (kLanes & (kLanes - 1)) == 0, "a team has 1, 2, 4, 8, 16 or 32 lanes");
  static_assert(is_network_size(kItems), "a lane has 1, 2, 4, ... items, or three times that");
  sort_team<kLanes>(items, NoShared(), before);
}

/// The same for keys with values, by the keys alone: of equal keys any may come first.
template <unsigned kLanes = 32, class Key, class Value, unsigned kItems, class Before = Less>
__device__ __forceinline__ void warp_sort_pairs(Key (&keys)[kItems], Value (&values)[kItems],
                                                const Before& before = {}) {
  with_pairs(keys, values,
             [&](KeyValue<Key, Value>(&pairs)[kItems]) { warp_sort<kLanes>(pairs, KeyOrder<Before>{before}); });
}

}  // namespace sortie::cuda
