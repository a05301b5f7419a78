// Parses any text as a size or a count. Compares sizes made of a number and a unit with arithmetic that cannot
// overflow.
//
//   | number (8 bytes) | unit | text |
#include <optional>
#include <string>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/size.hpp"
#include "fuzz/fuzz_target.hpp"

namespace sortie {
namespace {

using Wide = unsigned __int128;
constexpr std::string_view kUnits = "bKMGTPEZY%";

std::optional<std::uint64_t> size_of(std::string_view text, std::uint64_t whole) {
  try {
    return parse_size(text, "-S", whole);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The size that a number with a unit stands for. More than UINT64_MAX if it does not fit.
Wide expected_size(std::uint64_t number, std::size_t unit, std::uint64_t whole) {
  if (kUnits[unit] == '%') return Wide{number} * (whole / 100) + Wide{number} * (whole % 100) / 100;
  Wide bytes = number;
  for (std::size_t power = 0; power < unit && bytes <= UINT64_MAX; ++power) bytes *= 1024;
  return bytes;
}

void check_made_size(std::uint64_t number, std::size_t unit) {
  // UINT64_MAX stands for all numbers that are too large.
  if (number == UINT64_MAX) return;
  const std::uint64_t whole = 33'000'000'017;
  const Wide expected = expected_size(number, unit, whole);
  const auto size = size_of(std::to_string(number) + kUnits[unit], whole);
  fuzz::require(size.has_value() == (expected <= UINT64_MAX), "sizes are refused if they do not fit 64 bits");
  if (size) fuzz::require(*size == static_cast<std::uint64_t>(expected), "a size is its number times its unit");
}

void check_any_text(std::string_view text) {
  const auto small = size_of(text, 1000);
  const auto large = size_of(text, 1'000'000);
  if (small && large && *small != *large) fuzz::require(text.ends_with('%'), "only a share depends on the whole");
  try {
    const std::uint64_t count = parse_count(text, "--top");
    const auto size = size_of(std::string(text) + "b", 0);
    if (count != UINT64_MAX) fuzz::require(size == count, "a count is a size in bytes");
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::fuzz::InputReader input(data, size);
  const std::string_view digits = input.take(8);
  const std::uint64_t number = digits.size() == 8 ? sortie::load_as<std::uint64_t>(digits.data()) : 0;
  sortie::check_made_size(number, input.byte() % sortie::kUnits.size());
  sortie::fuzz::require(sortie::format_size(number).size() <= 8, "a size is shown in a few characters");
  sortie::check_any_text(input.rest());
  return 0;
}
