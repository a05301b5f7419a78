// Bitonic sorting within shared memory, and the item types that the sort compares.
#pragma once

#include <cstdint>

#include "kernels/bitonic_plan.hpp"

namespace sortie::kernels {

/// An array of keys alone.
template <class Key>
struct BitonicKeys {
  using Item = Key;
  Key* keys;

  __device__ Item load(std::uint64_t at) const { return keys[at]; }
  __device__ void store(std::uint64_t at, Item item) const { keys[at] = item; }
  __device__ static bool before(Item a, Item b) { return a < b; }
};

/// Keys and values in two arrays, ordered by both.
template <class Key, class Value>
struct BitonicPairs {
  struct Item {
    Key key;
    Value value;
  };
  Key* keys;
  Value* values;

  __device__ Item load(std::uint64_t at) const { return {keys[at], values[at]}; }
  __device__ void store(std::uint64_t at, const Item& item) const {
    keys[at] = item.key;
    values[at] = item.value;
  }
  __device__ static bool before(const Item& a, const Item& b) {
    return a.key != b.key ? a.key < b.key : a.value < b.value;
  }
};

template <class Arrays>
__device__ void compare_exchange(const Arrays& arrays, Comparator places) {
  const auto low = arrays.load(places.low);
  const auto high = arrays.load(places.high);
  if (!Arrays::before(high, low)) return;
  arrays.store(places.low, high);
  arrays.store(places.high, low);
}

/// Straight steps of sizes `size` down to 2 over the `count` items of a tile in shared memory.
template <class Arrays>
__device__ void finish_merge_in_tile(const Arrays& tile, unsigned count, unsigned size) {
  for (; size >= 2; size /= 2) {
    for (unsigned i = threadIdx.x; i < kBitonicTile / 2; i += kBitonicThreads) {
      const Comparator places = straight_comparator(i, size);
      if (places.high < count) compare_exchange(tile, places);
    }
    __syncthreads();
  }
}

/// Sorts the `count` items of a tile in shared memory.
template <class Arrays>
__device__ void sort_in_tile(const Arrays& tile, unsigned count) {
  for (unsigned size = 2; size / 2 < count; size *= 2) {
    for (unsigned i = threadIdx.x; i < kBitonicTile / 2; i += kBitonicThreads) {
      const Comparator places = mirrored_comparator(i, size);
      if (places.high < count) compare_exchange(tile, places);
    }
    __syncthreads();
    finish_merge_in_tile(tile, count, size / 2);
  }
}

}  // namespace sortie::kernels
