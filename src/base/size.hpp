// Sizes in bytes: shown to people, read as people write them, divided and rounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sortie {

/// "1.5 GB" style, powers of 1000, three significant digits.
std::string format_size(std::uint64_t bytes);

/// Parses a size as GNU sort's -S does: an integer with an optional suffix b (bytes), K (default),
/// M, G, T, P, E, Z, Y (powers of 1024), or % of `whole_bytes`. Throws Error naming `option`. plain_unit: what a number
/// without a suffix counts, b or K.
std::uint64_t parse_size(std::string_view text, std::string_view option, std::uint64_t whole_bytes,
                         char plain_unit = 'K');

/// Parses a whole number; one that is too large is UINT64_MAX. Throws Error naming `option`.
std::uint64_t parse_count(std::string_view text, std::string_view option);

constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t divisor) {
  return (value + divisor - 1) / divisor;
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return divide_up(value, multiple) * multiple;
}

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t multiple) { return value / multiple * multiple; }

}  // namespace sortie
