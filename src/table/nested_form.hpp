// How lengths and counts are written among the values of rows: a byte, as nearly all are short, or FF and 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"

namespace sortie::table {

inline constexpr std::uint8_t kLongCount = 0xFF;

/// Bytes that a count takes.
inline std::size_t count_bytes(std::uint64_t count) { return count < kLongCount ? 1 : 1 + sizeof count; }

/// Writes a count; returns the byte behind it.
inline std::byte* store_count(std::byte* out, std::uint64_t count) {
  if (count < kLongCount) {
    *out = static_cast<std::byte>(count);
    return out + 1;
  }
  *out = std::byte{kLongCount};
  store_as(out + 1, count);
  return out + 1 + sizeof count;
}

/// Reads a count, and moves the cursor behind it.
inline std::uint64_t load_count(const std::byte*& cursor) {
  const auto byte = std::to_integer<std::uint8_t>(*cursor++);
  if (byte != kLongCount) return byte;
  const auto count = load_as<std::uint64_t>(cursor);
  cursor += sizeof count;
  return count;
}

}  // namespace sortie::table
