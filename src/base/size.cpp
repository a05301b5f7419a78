#include "base/size.hpp"

#include <array>
#include <charconv>
#include <cstdio>

#include <sortie/error.hpp>

namespace sortie {
namespace {

constexpr std::array kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};

[[noreturn]] void refuse(std::string_view text, std::string_view option, const char* reason) {
  throw Error("invalid size '" + std::string(text) + "' for " + std::string(option) + ": " + reason);
}

/// log2 of the unit, or -1 for a letter that is none. As GNU sort, lower case where it cannot be mistaken.
int unit_bits(char suffix) {
  switch (suffix) {
    case 'b':
      return 0;
    case 'k':
    case 'K':
      return 10;
    case 'm':
    case 'M':
      return 20;
    case 'g':
    case 'G':
      return 30;
    case 't':
    case 'T':
      return 40;
    case 'P':
      return 50;
    case 'E':
      return 60;
    default:
      return -1;
  }
}

std::uint64_t percent_of(std::uint64_t percent, std::uint64_t whole_bytes) {
  return whole_bytes / 100 * percent + whole_bytes % 100 * percent / 100;
}

}  // namespace

std::uint64_t parse_size(std::string_view text, std::string_view option, std::uint64_t whole_bytes) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  if (status == std::errc::result_out_of_range) refuse(text, option, "too large");
  if (status != std::errc()) refuse(text, option, "give a number and a unit, for example 200M");
  const std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
  if (suffix == "%") {
    if (number > 100) refuse(text, option, "more than 100%");
    return percent_of(number, whole_bytes);
  }
  const int bits = suffix.empty() ? unit_bits('K') : unit_bits(suffix.front());
  if (suffix.size() > 1 || bits < 0) refuse(text, option, "the unit is one of b, K, M, G, T, P, E or %");
  if (number > UINT64_MAX >> bits) refuse(text, option, "too large");
  return number << bits;
}

std::string format_size(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  double scaled = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  // 999.5 would show as 1000.
  while (scaled >= 999.5 && unit + 1 < kUnits.size()) {
    scaled /= 1000;
    ++unit;
  }
  const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", decimals, scaled, kUnits[unit]);
  return text;
}

}  // namespace sortie
