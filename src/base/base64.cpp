#include "base/base64.hpp"

#include <cstdint>

namespace sortie {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kPadding = '=';

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= group.size() ? kLetters[bits >> (18 - 6 * i) & 0x3F] : kPadding;
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::string_view group = text.substr(at, 4);
    if (at + 4 == text.size()) group = group.substr(0, group.find(kPadding));
    if (group.size() < 2 ||
        text.substr(at + group.size(), 4 - group.size()) != std::string_view("==").substr(group.size() - 2)) {
      return std::nullopt;
    }
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t value = i < group.size() ? kLetters.find(group[i]) : 0;
      if (value == std::string_view::npos) return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(value);
    }
    for (std::size_t i = 0; i + 1 < group.size(); ++i) bytes += static_cast<char>(bits >> (16 - 8 * i));
  }
  return bytes;
}

}  // namespace sortie
