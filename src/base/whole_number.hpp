// Numbers in text, from options, the environment and the system's files.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace sortie {

/// The number that all of `text` is; nothing if it is none, or one that the type does not hold.
template <std::integral Number>
std::optional<Number> whole_number(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number, base);
  return status == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace sortie
