// The order of halves, floats of two bytes, for which C++20 has no type: in IEEE 754 totalOrder they are numbers of a
// sign and a magnitude.
#pragma once

#include <compare>
#include <cstdint>

namespace sortie::test {

inline std::strong_ordering compare_halves(std::uint16_t a, std::uint16_t b) {
  const auto value = [](std::uint16_t bits) { return (bits & 0x8000) == 0 ? bits : -1 - (bits & 0x7fff); };
  return value(a) <=> value(b);
}

}  // namespace sortie::test
