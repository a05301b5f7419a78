// Finds delimiters among the four bytes of a word: the inner step of the line scan.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// Bit i, i < 4, of the result: byte i of the word is a delimiter. Each byte of `delimiter_bytes` is the delimiter.
SORTIE_HD constexpr unsigned delimiters_in_word(std::uint32_t word, std::uint32_t delimiter_bytes) {
  constexpr std::uint32_t kLowBits = 0x7f7f7f7f;
  const std::uint32_t different = word ^ delimiter_bytes;
  // `equal` has the top bit of each byte that is zero, and nothing else. The product moves the four bits side by side.
  const std::uint32_t equal = ~(((different & kLowBits) + kLowBits) | different | kLowBits);
  return (equal * 0x00204081u) >> 28;
}

}  // namespace sortie::kernels
