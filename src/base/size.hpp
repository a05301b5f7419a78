// Sizes in bytes, read from and shown to people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sortie {

/// Parses a size as GNU sort's -S does: an integer with an optional suffix b (bytes), K (default),
/// M, G, T, P, E (powers of 1024), or % of `whole_bytes`. Throws Error naming `option`.
std::uint64_t parse_size(std::string_view text, std::string_view option, std::uint64_t whole_bytes);

/// "1.5 GB" style, powers of 1000, three significant digits.
std::string format_size(std::uint64_t bytes);

constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t divisor) {
  return (value + divisor - 1) / divisor;
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return divide_up(value, multiple) * multiple;
}

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t multiple) {
  return value / multiple * multiple;
}

}  // namespace sortie
