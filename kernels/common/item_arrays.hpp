// Arrays of keys, or of keys with 32-bit values, from which sorts and merges load items and to which they store them.
// Host and device code, so that the sorts' arithmetic is tested without a GPU.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

template <class KeyType>
struct KeyArray {
  using Key = KeyType;
  struct Item {
    Key key;
  };
  Key* keys;

  SORTIE_HD Item load(std::uint64_t at) const { return {keys[at]}; }
  SORTIE_HD void store(std::uint64_t at, const Item& item) const { keys[at] = item.key; }
};

template <class KeyType>
struct PairArray {
  using Key = KeyType;
  struct Item {
    Key key;
    std::uint32_t value;
  };
  Key* keys;
  std::uint32_t* values;

  SORTIE_HD Item load(std::uint64_t at) const { return {keys[at], values[at]}; }
  SORTIE_HD void store(std::uint64_t at, const Item& item) const {
    keys[at] = item.key;
    values[at] = item.value;
  }
};

/// The arrays that a kernel reads items from and writes them to: keys, alone or with values.
/// For keys without values, Value is NoValue and the pointers to values are null.
template <class Key, class Value>
struct InOutArrays {
  const Key* keys_in;
  Key* keys_out;
  const Value* values_in;
  Value* values_out;
};

/// The arrays with numbers as unsigned integers of the same bits; kernels are compiled for these.
template <class Number, class Value>
InOutArrays<CodeOf<Number>, Value> bits_of(const InOutArrays<Number, Value>& arrays) {
  using Bits = CodeOf<Number>;
  return {reinterpret_cast<const Bits*>(arrays.keys_in), reinterpret_cast<Bits*>(arrays.keys_out), arrays.values_in,
          arrays.values_out};
}

}  // namespace sortie::kernels
