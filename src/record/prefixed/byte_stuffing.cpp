#include "record/prefixed/byte_stuffing.hpp"

#include <algorithm>
#include <cstring>

namespace sortie {
namespace {

constexpr std::size_t kLongestStretch = 254;

/// Length of the stretch behind a code; `left`: bytes that there are.
std::size_t stretch_behind(std::byte code, std::byte forbidden, std::size_t left) {
  const auto length = std::to_integer<std::size_t>(code ^ forbidden) - 1;
  return std::min(length, left);
}

}  // namespace

std::byte* stuff(std::span<const std::byte> bytes, std::byte forbidden, std::byte* out) {
  while (true) {
    const std::size_t most = std::min(bytes.size(), kLongestStretch);
    const void* const found = most == 0 ? nullptr : std::memchr(bytes.data(), std::to_integer<int>(forbidden), most);
    const std::size_t stretch =
        found == nullptr ? most : static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes.data());
    *out++ = static_cast<std::byte>(stretch + 1) ^ forbidden;
    if (stretch > 0) std::memcpy(out, bytes.data(), stretch);
    out += stretch;
    if (stretch == bytes.size()) return out;
    bytes = bytes.subspan(stretch + (found != nullptr ? 1 : 0));
  }
}

std::size_t unstuffed_bytes(std::span<const std::byte> stuffed, std::byte forbidden) {
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < stuffed.size();) {
    const std::size_t stretch = stretch_behind(stuffed[at], forbidden, stuffed.size() - at - 1);
    at += 1 + stretch;
    bytes += stretch + (stretch < kLongestStretch && at < stuffed.size() ? 1 : 0);
  }
  return bytes;
}

// A code behind a short stretch becomes the forbidden byte that it stands for. Only behind a stretch of 254 bytes is
// there a byte too many, so that all that follows must be moved.
std::span<std::byte> unstuff(std::span<std::byte> stuffed, std::byte forbidden) {
  if (stuffed.empty()) return stuffed;
  const std::size_t begin = 1;
  std::size_t end = begin;
  std::byte code = stuffed[0];
  for (std::size_t at = 0;;) {
    const std::size_t stretch = stretch_behind(code, forbidden, stuffed.size() - at - 1);
    if (end != at + 1) std::memmove(&stuffed[end], &stuffed[at] + 1, stretch);
    at += 1 + stretch;
    end += stretch;
    if (at == stuffed.size()) break;
    code = stuffed[at];
    if (stretch < kLongestStretch) stuffed[end++] = forbidden;
  }
  return stuffed.subspan(begin, end - begin);
}

}  // namespace sortie
