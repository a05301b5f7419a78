// Items of any key type and any size of values on the host, and what a stable sort makes of them: what the tests of
// sortie::cuda expect, byte for byte.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/status.hpp>

#include "record/key_plan.hpp"
#include "support/distributions.hpp"

namespace sortie::cuda {

inline constexpr KeyType kAllKeyTypes[] = {KeyType::kUint8,   KeyType::kInt8,     KeyType::kUint16, KeyType::kInt16,
                                           KeyType::kFloat16, KeyType::kBfloat16, KeyType::kUint32, KeyType::kInt32,
                                           KeyType::kFloat32, KeyType::kUint64,   KeyType::kInt64,  KeyType::kFloat64};

inline constexpr KeyType kTypesByValue[] = {KeyType::kFloat16ByValue, KeyType::kBfloat16ByValue,
                                            KeyType::kFloat32ByValue, KeyType::kFloat64ByValue};

/// With floats in either order.
inline constexpr auto kTypesOfAnyOrder = [] {
  std::array<KeyType, std::size(kAllKeyTypes) + std::size(kTypesByValue)> types{};
  std::ranges::copy(kTypesByValue, std::ranges::copy(kAllKeyTypes, types.begin()).out);
  return types;
}();

inline constexpr KeyType kWideKeyTypes[] = {KeyType::kUint32, KeyType::kInt32, KeyType::kFloat32,
                                            KeyType::kUint64, KeyType::kInt64, KeyType::kFloat64};

inline constexpr Order kBothOrders[] = {Order::kAscending, Order::kDescending};

inline std::string name_of(KeyType type) {
  constexpr const char* kNames[] = {"u8",         "i8",          "u16",        "i16",       "f16", "bf16",
                                    "u32",        "i32",         "f32",        "u64",       "i64", "f64",
                                    "f16ByValue", "bf16ByValue", "f32ByValue", "f64ByValue"};
  return kNames[static_cast<int>(type)];
}

inline std::string name_of(Order order) { return order == Order::kAscending ? "ascending" : "descending"; }

inline FieldKind kind_of(KeyType type) {
  switch (in_total_order(type)) {
    case KeyType::kFloat16:
    case KeyType::kBfloat16:
    case KeyType::kFloat32:
    case KeyType::kFloat64:
      return FieldKind::kFloat;
    case KeyType::kInt8:
    case KeyType::kInt16:
    case KeyType::kInt32:
    case KeyType::kInt64:
      return FieldKind::kSigned;
    default:
      return FieldKind::kUnsigned;
  }
}

using Bytes = std::vector<std::byte>;

/// Items of `size` bytes each.
struct ItemArray {
  std::size_t size = 0;
  Bytes bytes;

  const std::byte* at(std::uint64_t i) const { return bytes.data() + i * size; }
};

inline ItemArray gathered(const ItemArray& items, const std::vector<std::uint64_t>& positions) {
  ItemArray result{items.size, Bytes(positions.size() * items.size)};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (items.size != 0) std::memcpy(result.bytes.data() + i * items.size, items.at(positions[i]), items.size);
  }
  return result;
}

/// The bits of infinity; of integers all but the sign.
inline std::uint64_t infinity_of(KeyType type) {
  switch (in_total_order(type)) {
    case KeyType::kFloat16:
      return 0x7c00;
    case KeyType::kBfloat16:
      return 0x7f80;
    case KeyType::kFloat32:
      return 0x7f800000;
    case KeyType::kFloat64:
      return 0x7ff0000000000000;
    default:
      return (std::uint64_t{1} << (8 * bytes_of(type) - 1)) - 1;
  }
}

/// Both zeros, infinities, denormals, NaNs of either sign with payloads, and the ends of the ranges of integers.
inline std::vector<std::uint64_t> special_numbers(KeyType type) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_of(type) - 1);
  const std::uint64_t infinity = infinity_of(type);
  std::vector<std::uint64_t> specials;
  for (const std::uint64_t bits :
       {std::uint64_t{0}, std::uint64_t{1}, infinity - 1, infinity, infinity + 1, sign - 1}) {
    specials.insert(specials.end(), {bits, bits | sign});
  }
  return specials;
}

template <class Bits>
ItemArray keys_of_bits(KeyType type, Distribution distribution, std::uint64_t count, std::uint64_t seed) {
  std::vector<Bits> bits = make_keys<Bits>(distribution, count, seed);
  const std::vector<std::uint64_t> specials = special_numbers(type);
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < count / 10; ++i) {
    bits[random() % count] = static_cast<Bits>(specials[random() % specials.size()]);
  }
  ItemArray keys{sizeof(Bits), Bytes(count * sizeof(Bits))};
  if (count != 0) std::memcpy(keys.bytes.data(), bits.data(), keys.bytes.size());
  return keys;
}

/// Keys of a distribution, with special numbers among them.
inline ItemArray make_key_items(KeyType type, Distribution distribution, std::uint64_t count, std::uint64_t seed) {
  switch (bytes_of(type)) {
    case 1:
      return keys_of_bits<std::uint8_t>(type, distribution, count, seed);
    case 2:
      return keys_of_bits<std::uint16_t>(type, distribution, count, seed);
    case 4:
      return keys_of_bits<std::uint32_t>(type, distribution, count, seed);
    default:
      return keys_of_bits<std::uint64_t>(type, distribution, count, seed);
  }
}

/// Values that follow from positions, but are not in their order: a sort by (key, value) would not pass for a stable
/// one.
inline ItemArray make_value_items(std::size_t value_bytes, std::uint64_t count) {
  ItemArray values{value_bytes, Bytes(count * value_bytes)};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t word = scramble(i + 1);
    for (std::size_t k = 0; k < value_bytes; ++k) {
      values.bytes[i * value_bytes + k] = static_cast<std::byte>((word >> (8 * (k % 8))) + k / 8);
    }
  }
  return values;
}

/// Calls code(bits of key) for each key.
template <class Code>
std::vector<std::uint64_t> codes_by(const ItemArray& keys, Order order, const Code& code) {
  std::vector<std::uint64_t> codes(keys.size == 0 ? 0 : keys.bytes.size() / keys.size);
  for (std::uint64_t i = 0; i < codes.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, keys.at(i), keys.size);
    codes[i] = order == Order::kAscending ? code(bits) : ~code(bits);
  }
  return codes;
}

/// The keys as unsigned numbers that ascend where the keys are in order.
inline std::vector<std::uint64_t> codes_of(const ItemArray& keys, KeyType type, Order order) {
  const std::uint64_t magnitude = (std::uint64_t{1} << (8 * keys.size - 1)) - 1;
  return codes_by(keys, order, [&](std::uint64_t bits) {
    if (is_by_value(type) && (bits & magnitude) > infinity_of(type)) bits = magnitude;
    if (is_by_value(type) && (bits & magnitude) == 0) bits = 0;
    return encode_number(kind_of(type), bits, static_cast<unsigned>(keys.size));
  });
}

/// The same where keys without values may lose the order of those of one value: -0 before +0, negative NaNs last.
inline std::vector<std::uint64_t> codes_without_values(const ItemArray& keys, KeyType type, Order order) {
  const std::uint64_t magnitude = (std::uint64_t{1} << (8 * keys.size - 1)) - 1;
  return codes_by(keys, order, [&](std::uint64_t bits) {
    const std::uint64_t code = encode_number(kind_of(type), bits, static_cast<unsigned>(keys.size));
    const std::uint64_t negative_nans = is_by_value(type) ? magnitude - infinity_of(type) : 0;
    return (code - negative_nans) & (2 * magnitude + 1);
  });
}

/// The positions of items in the order of a stable sort.
inline std::vector<std::uint64_t> stable_order(const std::vector<std::uint64_t>& codes) {
  std::vector<std::uint64_t> positions(codes.size());
  for (std::uint64_t i = 0; i < positions.size(); ++i) positions[i] = i;
  std::ranges::stable_sort(positions, {}, [&](std::uint64_t i) { return codes[i]; });
  return positions;
}

inline std::vector<std::uint64_t> stable_order(const ItemArray& keys, KeyType type, Order order) {
  return stable_order(codes_of(keys, type, order));
}

/// What a sort of items makes of them if it keeps the order of equal ones only where they have values.
inline std::vector<std::uint64_t> order_of_sort(const ItemArray& keys, KeyType type, Order order,
                                                std::size_t value_bytes) {
  return stable_order(value_bytes == 0 ? codes_without_values(keys, type, order) : codes_of(keys, type, order));
}

/// Names the first item that differs.
inline void expect_same_items(const ItemArray& expected, const Bytes& actual, const char* what) {
  ASSERT_EQ(actual.size(), expected.bytes.size()) << what;
  if (actual == expected.bytes) return;
  const auto differing = std::ranges::mismatch(actual, expected.bytes).in1 - actual.begin();
  FAIL() << what << " differ from item " << static_cast<std::size_t>(differing) / expected.size << " on";
}

inline void expect_ok(const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); }

}  // namespace sortie::cuda
