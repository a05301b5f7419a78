// Numbers as bytes that memcmp() orders: big-endian, signs flipped, floats in IEEE 754 totalOrder. Keys of rows are
// made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/bytes.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

template <std::size_t kBytes>
using NumberWord = std::conditional_t<
    kBytes == 1, std::uint8_t,
    std::conditional_t<kBytes == 2, std::uint16_t, std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>>;

template <class Word>
Word swapped(Word word) {
  if constexpr (sizeof(Word) == 1) return word;
  if constexpr (sizeof(Word) == 2) return static_cast<Word>((word << 8) | (word >> 8));
  if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  return static_cast<Word>(byte_swap(word) >> (64 - 8 * sizeof(Word)));
}

/// A number of 1, 2, 4 or 8 bytes.
template <std::size_t kNumberBytes, Order kOrder>
struct NumberCode {
  using Word = NumberWord<kNumberBytes>;
  static constexpr Word kSign = static_cast<Word>(Word{1} << (8 * kNumberBytes - 1));

  std::size_t bytes() const { return kNumberBytes; }

  void encode(const std::byte* value, std::byte* code, std::uint64_t complement) const {
    auto bits = load_as<Word>(value);
    if constexpr (kOrder == Order::kSigned) bits ^= kSign;
    if constexpr (kOrder == Order::kFloat) {
      const auto all_if_negative = static_cast<Word>(Word{0} - static_cast<Word>(bits >> (8 * kNumberBytes - 1)));
      bits ^= static_cast<Word>(all_if_negative | kSign);
    }
    store_as(code, swapped(static_cast<Word>(bits ^ static_cast<Word>(complement))));
  }

  void decode(const std::byte* code, std::byte* value, std::uint64_t complement) const {
    auto bits = static_cast<Word>(swapped(load_as<Word>(code)) ^ static_cast<Word>(complement));
    if constexpr (kOrder == Order::kSigned) bits ^= kSign;
    if constexpr (kOrder == Order::kFloat) {
      const auto all_if_positive = static_cast<Word>(Word{0} - static_cast<Word>(bits >> (8 * kNumberBytes - 1)));
      bits ^= static_cast<Word>(static_cast<Word>(~all_if_positive) | kSign);
    }
    store_as(value, bits);
  }
};

/// A signed integer of several words, as those of decimals.
template <std::size_t kNumberBytes>
struct WideCode {
  static constexpr std::size_t kWords = kNumberBytes / 8;

  std::size_t bytes() const { return kNumberBytes; }

  void encode(const std::byte* value, std::byte* code, std::uint64_t complement) const {
    for (std::size_t i = 0; i < kWords; ++i) {
      const auto word = load_as<std::uint64_t>(value + 8 * (kWords - 1 - i));
      store_as(code + 8 * i, byte_swap(word ^ complement ^ (i == 0 ? std::uint64_t{1} << 63 : 0)));
    }
  }

  void decode(const std::byte* code, std::byte* value, std::uint64_t complement) const {
    for (std::size_t i = 0; i < kWords; ++i) {
      const auto word = byte_swap(load_as<std::uint64_t>(code + 8 * i));
      store_as(value + 8 * (kWords - 1 - i), word ^ complement ^ (i == 0 ? std::uint64_t{1} << 63 : 0));
    }
  }
};

/// Bytes of fixed length.
struct BytesCode {
  std::size_t length = 0;

  std::size_t bytes() const { return length; }
  void encode(const std::byte* value, std::byte* code, std::uint64_t complement) const {
    for (std::size_t i = 0; i < length; ++i) code[i] = value[i] ^ static_cast<std::byte>(complement & 0xFF);
  }
  void decode(const std::byte* code, std::byte* value, std::uint64_t complement) const {
    encode(code, value, complement);
  }
};

template <std::size_t kBytes, class Visit>
void visit_number_of(Order order, const Visit& visit) {
  if (order == Order::kUnsigned) return visit(NumberCode<kBytes, Order::kUnsigned>());
  if constexpr (kBytes > 1) {
    if (order == Order::kFloat) return visit(NumberCode<kBytes, Order::kFloat>());
  }
  visit(NumberCode<kBytes, Order::kSigned>());
}

/// Calls visit() with the code for values of a type of fixed width that orders.
template <class Visit>
void visit_code(const TableType& type, const Visit& visit) {
  if (type.order == Order::kBytes) return visit(BytesCode{type.width});
  switch (type.width) {
    case 1:
      return visit_number_of<1>(type.order, visit);
    case 2:
      return visit_number_of<2>(type.order, visit);
    case 4:
      return visit_number_of<4>(type.order, visit);
    case 8:
      return visit_number_of<8>(type.order, visit);
    case 16:
      return visit(WideCode<16>());
    default:
      return visit(WideCode<32>());
  }
}

}  // namespace sortie::table
