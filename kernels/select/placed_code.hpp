// Items of a sample select: the code of a key and its position, compared in this order. No two are equal, and their
// order is that of a stable sort of the keys.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// A code and a position of 4 bytes at most.
struct ShortPlacedCode {
  std::uint64_t word;

  SORTIE_HD static constexpr ShortPlacedCode of(std::uint64_t code, std::uint64_t position) {
    return {code << 32 | position};
  }
  SORTIE_HD static constexpr ShortPlacedCode largest() { return {~std::uint64_t{0}}; }
  SORTIE_HD constexpr std::uint64_t code() const { return word >> 32; }
  SORTIE_HD constexpr std::uint64_t position() const { return word & 0xffffffff; }
  SORTIE_HD friend constexpr bool operator<(const ShortPlacedCode& a, const ShortPlacedCode& b) {
    return a.word < b.word;
  }
};

struct alignas(16) LongPlacedCode {
  std::uint64_t code_word;
  std::uint64_t position_word;

  SORTIE_HD static constexpr LongPlacedCode of(std::uint64_t code, std::uint64_t position) { return {code, position}; }
  SORTIE_HD static constexpr LongPlacedCode largest() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  SORTIE_HD constexpr std::uint64_t code() const { return code_word; }
  SORTIE_HD constexpr std::uint64_t position() const { return position_word; }
  SORTIE_HD friend constexpr bool operator<(const LongPlacedCode& a, const LongPlacedCode& b) {
    // Without branches, at which the lanes of a warp would part.
    const bool has_lower_code = a.code_word < b.code_word;
    const bool has_same_code = a.code_word == b.code_word;
    const bool is_earlier = a.position_word < b.position_word;
    return static_cast<bool>(static_cast<unsigned>(has_lower_code) |
                             (static_cast<unsigned>(has_same_code) & static_cast<unsigned>(is_earlier)));
  }
};

template <class Bits, class Position>
using PlacedCode = std::conditional_t<sizeof(Bits) <= 4 && sizeof(Position) == 4, ShortPlacedCode, LongPlacedCode>;

}  // namespace sortie::kernels
