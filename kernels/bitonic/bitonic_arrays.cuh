// What the bitonic sorts move and compare: keys, or keys with values, in arrays in memory. A codec turns keys into the
// codes to sort by when they are loaded, and back when they are stored. A tile, which lies in shared memory, holds
// codes. Pairs are ordered by (code, value).
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/cuda/bitonic_steps.cuh>

#include "kernels/common/key_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// An array of keys alone.
template <class KeyType, class Codec = PlainKeys>
struct BitonicKeys {
  using Key = KeyType;
  using Item = Key;
  using Number = Key;  ///< the number that orders the items
  using Tile = BitonicKeys<Key>;
  using Before = cuda::Less;
  static constexpr unsigned kItemBytes = sizeof(Key);
  Key* keys;
  Codec codec;

  /// A tile in `shared`, which is aligned to 16 bytes and has capacity * kItemBytes bytes, a multiple of 16.
  __device__ static Tile tile_in(std::byte* shared, unsigned) { return {reinterpret_cast<Key*>(shared), {}}; }
  __device__ BitonicKeys from(std::uint64_t position) const { return {keys + position, codec}; }

  __device__ Item load(std::uint64_t at) const { return codec.encode(keys[at]); }
  __device__ void store(std::uint64_t at, Item item) const { keys[at] = codec.decode(item); }
  __device__ static Number number_of(Item item) { return item; }
  __device__ static Item infinity() { return static_cast<Item>(~Item{0}); }
};

/// 32-bit keys and values in two arrays. As an item, each pair is one number.
template <class Codec = PlainKeys>
struct PackedPairs {
  using Tile = BitonicKeys<std::uint64_t>;
  using Item = Tile::Item;
  static constexpr unsigned kItemBytes = Tile::kItemBytes;
  std::uint32_t* keys;
  std::uint32_t* values;
  Codec codec;

  __device__ static Tile tile_in(std::byte* shared, unsigned capacity) { return Tile::tile_in(shared, capacity); }
  __device__ PackedPairs from(std::uint64_t position) const { return {keys + position, values + position, codec}; }

  __device__ Item load(std::uint64_t at) const { return Item{codec.encode(keys[at])} << 32 | values[at]; }
  __device__ void store(std::uint64_t at, Item item) const {
    keys[at] = codec.decode(static_cast<std::uint32_t>(item >> 32));
    values[at] = static_cast<std::uint32_t>(item);
  }
};

/// 32-bit keys with values, in two arrays, as one number of a code and a position, so that equal keys keep their order.
/// Values wait in shared memory meanwhile. For sorts in one launch.
template <class ValueType, class Codec = PlainKeys>
struct PlacedPairs {
  using Value = ValueType;
  using Tile = BitonicKeys<std::uint64_t>;
  using Item = Tile::Item;
  static constexpr unsigned kItemBytes = Tile::kItemBytes + sizeof(Value);
  std::uint32_t* keys;
  Value* values;
  Codec codec;
  Value* held = nullptr;  ///< all values as they were, in shared memory

  __device__ static Tile tile_in(std::byte* shared, unsigned capacity) { return Tile::tile_in(shared, capacity); }

  __device__ Item load(std::uint64_t at) const { return Item{codec.encode(keys[at])} << 32 | at; }
  __device__ void store(std::uint64_t at, Item item) const {
    keys[at] = codec.decode(static_cast<std::uint32_t>(item >> 32));
    values[at] = held[static_cast<std::uint32_t>(item)];
  }
};

/// Keys and values in two arrays, ordered by both.
template <class KeyType, class Value, class Codec = PlainKeys>
struct BitonicPairs {
  using Key = KeyType;
  using Tile = BitonicPairs<Key, Value>;
  using Item = cuda::KeyValue<Key, Value>;
  static constexpr unsigned kItemBytes = sizeof(Key) + sizeof(Value);
  Key* keys;
  Value* values;
  Codec codec;

  /// The wider array comes first, so that both are aligned.
  __device__ static Tile tile_in(std::byte* shared, unsigned capacity) {
    if constexpr (sizeof(Key) >= sizeof(Value)) {
      return {reinterpret_cast<Key*>(shared), reinterpret_cast<Value*>(shared + capacity * sizeof(Key)), {}};
    } else {
      return {reinterpret_cast<Key*>(shared + capacity * sizeof(Value)), reinterpret_cast<Value*>(shared), {}};
    }
  }
  __device__ BitonicPairs from(std::uint64_t position) const { return {keys + position, values + position, codec}; }

  __device__ Item load(std::uint64_t at) const { return {codec.encode(keys[at]), values[at]}; }
  __device__ void store(std::uint64_t at, const Item& item) const {
    keys[at] = codec.decode(item.key);
    values[at] = item.value;
  }
  using Number = unsigned __int128;  ///< the number that orders the items, without branches
  __device__ static Number number_of(const Item& item) { return Number{item.key} << 64 | item.value; }
  struct Before {
    static constexpr bool kIsTotal = true;
    __device__ bool operator()(const Item& a, const Item& b) const { return number_of(a) < number_of(b); }
  };
  __device__ static Item infinity() { return {static_cast<Key>(~Key{0}), static_cast<Value>(~Value{0})}; }
};

/// Makes the arrays for unsigned keys and values of these types.
template <class Code, class Codec>
BitonicKeys<Code, Codec> bitonic_arrays(Code* keys, NoValue*, const Codec& codec) {
  return {keys, codec};
}
template <class Codec>
PackedPairs<Codec> bitonic_arrays(std::uint32_t* keys, std::uint32_t* values, const Codec& codec) {
  return {keys, values, codec};
}
template <class Code, class Value, class Codec>
BitonicPairs<Code, Value, Codec> bitonic_arrays(Code* keys, Value* values, const Codec& codec) {
  return {keys, values, codec};
}

}  // namespace sortie::kernels
