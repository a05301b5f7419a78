#include "base/size.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

constexpr std::array kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};

constexpr std::uint64_t kMost = UINT64_MAX;

/// Letters of the units, each 1024 times the one before, and those that may be lower case.
constexpr std::string_view kUnitLetters = "KMGTPEZY";
constexpr std::string_view kSmallUnitLetters = "kmgt";

[[noreturn]] void refuse(std::string_view before, std::string_view option, std::string_view text,
                         std::string_view after = "") {
  throw Error(std::string(before) + std::string(option) + " argument '" + escape_unprintable(text) + "'" +
              std::string(after));
}

/// A number and the suffix behind it. A number that is too large is kMost.
struct Number {
  std::optional<std::uint64_t> value;
  std::string_view suffix;
};

Number split_number(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  if (text.starts_with('-')) return {};
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  Number number{.value = std::nullopt, .suffix = text.substr(digits)};
  if (digits == 0) return number;
  std::uint64_t value = 0;
  const std::errc status = std::from_chars(text.data(), text.data() + digits, value).ec;
  number.value = status == std::errc::result_out_of_range ? kMost : value;
  return number;
}

/// The power of 1024 that a unit stands for; nothing if there is no such unit.
std::optional<std::size_t> unit_power(std::string_view suffix) {
  if (suffix.size() != 1) return std::nullopt;
  for (const std::string_view letters : {kUnitLetters, kSmallUnitLetters}) {
    const std::size_t position = letters.find(suffix.front());
    if (position != std::string_view::npos) return position + 1;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> multiply(std::uint64_t number, std::uint64_t factor) {
  std::uint64_t product = 0;
  if (number == kMost || __builtin_mul_overflow(number, factor, &product)) return std::nullopt;
  return product;
}

std::optional<std::uint64_t> percent_of(std::uint64_t percent, std::uint64_t whole_bytes) {
  const auto hundreds = multiply(percent, whole_bytes / 100);
  const auto rest = multiply(percent, whole_bytes % 100);
  if (!hundreds || !rest || *hundreds > kMost - *rest / 100) return std::nullopt;
  return *hundreds + *rest / 100;
}

std::optional<std::uint64_t> scale(std::uint64_t number, std::size_t power) {
  std::optional<std::uint64_t> scaled = number;
  for (; scaled && power > 0; --power) scaled = multiply(*scaled, 1024);
  return scaled;
}

}  // namespace

std::uint64_t parse_size(std::string_view text, std::string_view option, std::uint64_t whole_bytes, char plain_unit) {
  Number number = split_number(text);
  if (number.value && number.suffix.empty()) number.suffix = {&plain_unit, 1};
  const std::optional<std::size_t> power = unit_power(number.suffix);
  if (!number.value && !power) refuse("invalid ", option, text);
  std::optional<std::uint64_t> bytes = number.value.value_or(1);
  if (power) {
    bytes = scale(*bytes, *power);
  } else if (number.suffix == "%") {
    bytes = percent_of(*bytes, whole_bytes);
  } else if (number.suffix != "b") {
    refuse("invalid suffix in ", option, text);
  }
  if (!bytes || number.value == kMost) refuse("", option, text, " too large");
  return *bytes;
}

std::uint64_t parse_count(std::string_view text, std::string_view option) {
  const Number number = split_number(text);
  if (!number.value) refuse("invalid ", option, text);
  if (!number.suffix.empty()) refuse("invalid suffix in ", option, text);
  return *number.value;
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
