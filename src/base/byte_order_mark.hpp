// The mark that some programs write in front of text in UTF-8. It is no part of the first record: readers of inputs and
// of headers take it off.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sortie {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline bool has_byte_order_mark(std::span<const std::byte> text) {
  return std::string_view(reinterpret_cast<const char*>(text.data()), text.size()).starts_with(kByteOrderMark);
}

inline std::span<const std::byte> without_byte_order_mark(std::span<const std::byte> text) {
  return has_byte_order_mark(text) ? text.subspan(kByteOrderMark.size()) : text;
}

inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace sortie
