// Sizes in bytes: shown to people, divided and rounded. Parsing them is in the public header.
#pragma once

#include <cstdint>
#include <string>

#include <sortie/parse_size.hpp>

namespace sortie {

/// "1.5 GB" style, powers of 1000, three significant digits.
std::string format_size(std::uint64_t bytes);

constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t divisor) {
  return (value + divisor - 1) / divisor;
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return divide_up(value, multiple) * multiple;
}

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t multiple) { return value / multiple * multiple; }

}  // namespace sortie
