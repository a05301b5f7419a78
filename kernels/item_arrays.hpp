// What the comparison sorts move: arrays of keys, or of keys with values, and the orders that they can be
// sorted by. Host and device, so that the sorts' arithmetic is tested without a GPU.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "base/host_device.hpp"
#include "kernels/record_keys.hpp"

namespace sortie::kernels {

template <class KeyType>
struct KeyArray {
  using Key = KeyType;
  struct Item {
    Key key;
  };
  static constexpr bool kHasValues = false;
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
  static constexpr bool kHasValues = true;
  Key* keys;
  std::uint32_t* values;

  SORTIE_HD Item load(std::uint64_t at) const { return {keys[at], values[at]}; }
  SORTIE_HD void store(std::uint64_t at, const Item& item) const {
    keys[at] = item.key;
    values[at] = item.value;
  }
};

/// Floats seen as unsigned codes of the same order: encoded where they are loaded, decoded where stored.
struct FloatArray {
  using Key = std::uint32_t;
  using Item = KeyArray<std::uint32_t>::Item;
  static constexpr bool kHasValues = false;
  std::uint32_t* bits;

  SORTIE_HD Item load(std::uint64_t at) const {
    return {static_cast<std::uint32_t>(encode_number(FieldKind::kFloat, bits[at], 4))};
  }
  SORTIE_HD void store(std::uint64_t at, const Item& item) const {
    bits[at] = static_cast<std::uint32_t>(decode_number(FieldKind::kFloat, item.key, 4));
  }
};

struct OrderByKey {
  template <class Item>
  SORTIE_HD bool operator()(const Item& a, const Item& b) const {
    return a.key < b.key;
  }
};

/// Equal prefixes are told apart by the records that the values number.
struct OrderByRecord {
  RecordKeys records;

  template <class Item>
  SORTIE_HD bool operator()(const Item& a, const Item& b) const {
    return a.key != b.key ? a.key < b.key : records.before(a.value, b.value, 1);
  }
};

}  // namespace sortie::kernels
