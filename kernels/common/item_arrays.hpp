// Arrays of keys, or of keys with 32-bit values, whose items odd-even sort and split radix sort load and store. Host
// and device code, so that the sorts' arithmetic is tested without a GPU.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

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

}  // namespace sortie::kernels
