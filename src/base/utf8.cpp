#include "base/utf8.hpp"

#include <cstddef>

namespace sortie {
namespace {

/// The bytes that may follow the first byte of a character, and those that may follow it directly.
struct Follow {
  std::size_t count = 0;
  unsigned char least = 0x80;
  unsigned char most = 0xBF;
};

/// A count of 0: no character of several bytes begins so.
Follow follow_of(unsigned char first) {
  if (first >= 0xC2 && first <= 0xDF) return {.count = 1};
  if (first == 0xE0) return {.count = 2, .least = 0xA0};
  if (first == 0xED) return {.count = 2, .most = 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {.count = 2};
  if (first == 0xF0) return {.count = 3, .least = 0x90};
  if (first == 0xF4) return {.count = 3, .most = 0x8F};
  if (first >= 0xF1 && first <= 0xF3) return {.count = 3};
  return {};
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) continue;
    const Follow follow = follow_of(first);
    if (follow.count == 0 || text.size() - at <= follow.count) return false;
    for (std::size_t i = 1; i <= follow.count; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      if (byte < (i == 1 ? follow.least : 0x80) || byte > (i == 1 ? follow.most : 0xBF)) return false;
    }
    at += follow.count;
  }
  return true;
}

}  // namespace sortie
