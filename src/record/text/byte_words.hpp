// Reads bytes of text one and eight at a time: loads that read nothing beyond the text, and tests of all bytes of a
// word at once. Shared by the code that reads fields, keys and their definitions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"

namespace sortie {

/// Whether the byte is one of 0 to 9, whatever the locale.
constexpr bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// `byte` eight times.
constexpr std::uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

inline constexpr std::uint64_t kHighBits = every_byte(0x80);

/// The high bit of each byte that is zero, and no other bit.
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
  return ~(((word & ~kHighBits) + ~kHighBits) | word | ~kHighBits);
}

/// Not 0 if and only if some byte is less than `bound`; 1 <= bound <= 128.
constexpr std::uint64_t any_byte_below(std::uint64_t word, unsigned char bound) {
  return (word - every_byte(bound)) & ~word & kHighBits;
}

/// The word with 'a' to 'z' turned into 'A' to 'Z'.
constexpr std::uint64_t upper_case_ascii(std::uint64_t word) {
  const std::uint64_t low_bits = word & ~kHighBits;
  const std::uint64_t from_a = low_bits + every_byte(0x80 - 'a');
  const std::uint64_t behind_z = low_bits + every_byte(0x7F - 'z');
  return word ^ ((from_a ^ behind_z) & ~word & kHighBits) >> 2;
}

/// The low `count` bytes; count < 8.
constexpr std::uint64_t low_bytes(std::size_t count) { return (std::uint64_t{1} << (8 * count)) - 1; }

/// The index of the byte of the lowest bit. Precondition: word is not 0.
constexpr std::size_t first_byte(std::uint64_t word) { return static_cast<std::size_t>(std::countr_zero(word)) / 8; }

/// `count` < 8 bytes as a little-endian integer, the rest 0.
inline std::uint64_t load_few(const char* text, std::size_t count) {
  if (count >= 4) {
    const std::uint64_t high = load_as<std::uint32_t>(text + count - 4);
    return load_as<std::uint32_t>(text) | high << (8 * (count - 4));
  }
  if (count == 0) return 0;
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  };
  return at(0) | at(count / 2) | at(count - 1);
}

/// The last `count` < 8 bytes of `size` bytes before `end`, the rest 0.
inline std::uint64_t load_last(const char* end, std::size_t count, std::size_t size) {
  if (size < 8 || count == 0) return load_few(end - count, count);
  return load_as<std::uint64_t>(end - 8) >> (8 * (8 - count));
}

}  // namespace sortie
