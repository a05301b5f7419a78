// Reads bytes of text one, eight and 64 at a time: loads that read nothing beyond the text, and tests of all bytes of a
// word or block at once. Shared by the code that finds fields, makes keys and parses their definitions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/bytes.hpp"

namespace sortie {

/// Whether the byte is one of 0 to 9, whatever the locale.
constexpr bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Cuts the digits off that `text` begins with.
inline std::string_view take_digits(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

/// Cuts off and returns what comes before the first `separator`; all of it if there is none.
inline std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

/// At least one word, which may be empty.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    words.push_back(take_until(text, separator));
  }
  words.push_back(text);
  return words;
}

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

/// Number of bytes that a key writer delivers as they are, whatever the delimiter of lines and the direction: 3 to 9
/// and 12 to 243. Encoders of keys that choose their own bytes take them from here, so that keys stay short.
inline constexpr unsigned kKeyBytes = 239;

/// The byte of rank `rank`, which is below kKeyBytes.
constexpr unsigned char key_byte(unsigned rank) { return static_cast<unsigned char>(rank < 7 ? rank + 3 : rank + 5); }

/// Bit i of the result: whether text[i] is `byte`, for 16 bytes. The field finder and the field splitter scan lines by
/// such bits, 64 at a time: they give the processor less to mispredict than byte after byte.
inline std::uint64_t equal_bits_16(const char* text, unsigned char byte) {
#if defined(__SSE2__)
  const __m128i equal =
      _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text)), _mm_set1_epi8(static_cast<char>(byte)));
  return static_cast<std::uint64_t>(_mm_movemask_epi8(equal));
#else
  const auto bits = [&](const char* word) {
    return (zero_bytes(load_as<std::uint64_t>(word) ^ every_byte(byte)) >> 7) * 0x0102040810204080U >> 56;
  };
  return bits(text) | bits(text + 8) << 8;
#endif
}

/// Bit i of the result: whether text[i] is a blank of the locale "C" or a newline, for 16 bytes.
inline std::uint64_t usual_blanks(const char* text) {
  return equal_bits_16(text, ' ') | equal_bits_16(text, '\t') | equal_bits_16(text, '\n');
}

/// What `bits_16` says of 64 bytes, which may be read.
template <class Bits16>
std::uint64_t bits_64(const char* text, const Bits16& bits_16) {
  return bits_16(text) | bits_16(text + 16) << 16 | bits_16(text + 32) << 32 | bits_16(text + 48) << 48;
}

/// Bit i of the result: what `bits_16` says of text[at + i], for the next 64 bytes or as many as there are. `bits_16`
/// takes 16 bytes that may be read. Reads nothing beyond the text. Precondition: at < size.
template <class Bits16>
std::uint64_t block_bits(const char* text, std::size_t size, std::size_t at, const Bits16& bits_16) {
  const std::size_t left = size - at;
  if (left >= 64) return bits_64(text + at, bits_16);
  if (size >= 64) return bits_64(text + size - 64, bits_16) >> (64 - left);
  std::uint64_t bits = 0;
  std::size_t done = 0;
  for (; left - done >= 16; done += 16) bits |= bits_16(text + at + done) << done;
  const std::size_t rest = left - done;
  if (rest == 0) return bits;
  if (size >= 16) return bits | bits_16(text + size - 16) >> (16 - rest) << done;
  std::array<char, 16> last{};
  std::memcpy(last.data(), text + at, rest);
  return bits_16(last.data()) & ((std::uint64_t{1} << rest) - 1);
}

}  // namespace sortie
