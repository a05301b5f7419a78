// Finds which of up to 64 bytes of text are a certain byte, one bit each. The field finder scans lines with it: the
// bits of a whole block give the processor less to mispredict than byte after byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "record/text/byte_words.hpp"

namespace sortie {

/// Bit i of the result: whether text[i] is `byte`, for 16 bytes.
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

/// Bit i of the result: what `bits_16` says of text[at + i], for the next 64 bytes or as many as there are. `bits_16`
/// takes 16 bytes that may be read. Reads nothing beyond the text. Precondition: at < size.
template <class Bits16>
std::uint64_t block_bits(const char* text, std::size_t size, std::size_t at, const Bits16& bits_16) {
  const auto bits_64 = [&](const char* block) {
    return bits_16(block) | bits_16(block + 16) << 16 | bits_16(block + 32) << 32 | bits_16(block + 48) << 48;
  };
  const std::size_t left = size - at;
  if (left >= 64) return bits_64(text + at);
  if (size >= 64) return bits_64(text + size - 64) >> (64 - left);
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
