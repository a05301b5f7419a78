// Numbers as bytes that memcmp() orders: big-endian, signs flipped, floats in IEEE 754 totalOrder. Keys of rows are
// made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

template <class Word>
Word swapped(Word word) {
  return static_cast<Word>(byte_swap(word) >> (64 - 8 * sizeof(Word)));
}

/// A number of 1, 2, 4 or 8 bytes, as an unsigned word.
template <class Word, Order kOrder>
struct NumberCode {
  static constexpr unsigned kSignBit = 8 * sizeof(Word) - 1;
  static constexpr Word kSign = static_cast<Word>(Word{1} << kSignBit);

  std::size_t bytes() const { return sizeof(Word); }

  void encode(const std::byte* value, std::byte* code, std::uint64_t complement) const {
    auto bits = load_as<Word>(value);
    if constexpr (kOrder == Order::kSigned) bits ^= kSign;
    if constexpr (kOrder == Order::kFloat) {
      const auto all_if_negative = static_cast<Word>(Word{0} - static_cast<Word>(bits >> kSignBit));
      bits ^= static_cast<Word>(all_if_negative | kSign);
    }
    store_as(code, swapped(static_cast<Word>(bits ^ static_cast<Word>(complement))));
  }

  void decode(const std::byte* code, std::byte* value, std::uint64_t complement) const {
    auto bits = static_cast<Word>(swapped(load_as<Word>(code)) ^ static_cast<Word>(complement));
    if constexpr (kOrder == Order::kSigned) bits ^= kSign;
    if constexpr (kOrder == Order::kFloat) {
      const auto all_if_positive = static_cast<Word>(Word{0} - static_cast<Word>(bits >> kSignBit));
      bits ^= static_cast<Word>(static_cast<Word>(~all_if_positive) | kSign);
    }
    store_as(value, bits);
  }
};

/// A signed integer of several words, as those of decimals.
template <std::size_t kWords>
struct WideCode {
  static constexpr std::uint64_t sign_of(std::size_t word) { return word == 0 ? std::uint64_t{1} << 63 : 0; }

  std::size_t bytes() const { return 8 * kWords; }

  void encode(const std::byte* value, std::byte* code, std::uint64_t complement) const {
    for (std::size_t i = 0; i < kWords; ++i) {
      const auto word = load_as<std::uint64_t>(value + 8 * (kWords - 1 - i));
      store_as(code + 8 * i, byte_swap(word ^ complement ^ sign_of(i)));
    }
  }

  void decode(const std::byte* code, std::byte* value, std::uint64_t complement) const {
    for (std::size_t i = 0; i < kWords; ++i) {
      const auto word = byte_swap(load_as<std::uint64_t>(code + 8 * i));
      store_as(value + 8 * (kWords - 1 - i), word ^ complement ^ sign_of(i));
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

/// Calls visit() with the code for values of a type of fixed width that orders.
template <class Visit>
void visit_code(const TableType& type, const Visit& visit) {
  const auto visit_number = [&]<class Word>(Word) {
    if (type.order == Order::kUnsigned) return visit(NumberCode<Word, Order::kUnsigned>());
    if (type.order == Order::kFloat) return visit(NumberCode<Word, Order::kFloat>());
    visit(NumberCode<Word, Order::kSigned>());
  };
  if (type.order == Order::kBytes) return visit(BytesCode{type.width});
  switch (type.width) {
    case 1:
      return visit_number(std::uint8_t{});
    case 2:
      return visit_number(std::uint16_t{});
    case 4:
      return visit_number(std::uint32_t{});
    case 8:
      return visit_number(std::uint64_t{});
    case 16:
      return visit(WideCode<2>());
    default:
      return visit(WideCode<4>());
  }
}

}  // namespace sortie::table
