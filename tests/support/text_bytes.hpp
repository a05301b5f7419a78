// Texts as the bytes that the library takes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sortie::test {

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::span<std::byte> as_writable(std::string& text) {
  return std::as_writable_bytes(std::span(text.data(), text.size()));
}

}  // namespace sortie::test
