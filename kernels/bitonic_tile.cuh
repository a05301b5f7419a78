// Bitonic sorting within shared memory, and the item types that the sort compares.
#pragma once

#include <cstdint>

#include "kernels/bitonic_plan.hpp"

namespace sortie::kernels {

/// An array of keys alone.
template <class KeyType>
struct BitonicKeys {
  using Key = KeyType;
  using Item = Key;
  static constexpr unsigned kValueBytes = 0;
  Key* keys;

  __device__ Item load(std::uint64_t at) const { return keys[at]; }
  __device__ void store(std::uint64_t at, Item item) const { keys[at] = item; }
  using Number = Key;  ///< that orders the items
  __device__ static Number number_of(Item item) { return item; }
  __device__ static bool before(Item a, Item b) { return a < b; }
  __device__ static Item infinity() { return static_cast<Item>(~Item{0}); }
  __device__ static Item shuffle_xor(Item item, unsigned mask) { return __shfl_xor_sync(0xffffffff, item, mask); }
};

/// Keys and values in two arrays, each pair handled as one number.
struct PackedPairs {
  using Item = std::uint64_t;
  std::uint32_t* keys;
  std::uint32_t* values;

  __device__ static bool before(Item a, Item b) { return a < b; }

  __device__ Item load(std::uint64_t at) const { return Item{keys[at]} << 32 | values[at]; }
  __device__ void store(std::uint64_t at, Item item) const {
    keys[at] = static_cast<std::uint32_t>(item >> 32);
    values[at] = static_cast<std::uint32_t>(item);
  }
};

/// Keys and values in two arrays, ordered by both.
template <class KeyType, class Value>
struct BitonicPairs {
  using Key = KeyType;
  static constexpr unsigned kValueBytes = sizeof(Value);
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
  using Number = unsigned __int128;  ///< that orders the items, without branches
  __device__ static Number number_of(const Item& item) { return Number{item.key} << 64 | item.value; }
  __device__ static bool before(const Item& a, const Item& b) { return number_of(a) < number_of(b); }
  __device__ static Item infinity() { return {static_cast<Key>(~Key{0}), static_cast<Value>(~Value{0})}; }
  __device__ static Item shuffle_xor(const Item& item, unsigned mask) {
    return {__shfl_xor_sync(0xffffffff, item.key, mask), __shfl_xor_sync(0xffffffff, item.value, mask)};
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
