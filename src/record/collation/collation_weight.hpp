// What strxfrm() writes, as the GNU C library does: levels with a 0x01 between them, each a sequence of weights in the
// form of UTF-8, whose first byte tells their length. Collation keys are made of the weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace sortie {

/// The bytes of a weight, at most 6, from the highest byte down: compares as they do. 0: no weight.
using Weight = std::uint64_t;

inline constexpr char kLevelSeparator = '\x01';
inline constexpr std::size_t kLevels = 4;
/// In front of every weight of the last level: how many elements away it is from the one before it.
inline constexpr Weight kNextPlace = Weight{1} << 56;

constexpr std::size_t weight_bytes(unsigned char first) {
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : first < 0xFC ? 5 : 6;
}

/// The first weight of `level`, which is taken from it; 0 if it is empty.
inline Weight take_weight(std::string_view& level) {
  if (level.empty()) {
    return 0;
  }
  const std::size_t bytes = std::min(weight_bytes(static_cast<unsigned char>(level.front())), level.size());
  const auto* const source = reinterpret_cast<const std::byte*>(level.data());
  const Weight weight = level.size() >= sizeof(Weight)
                            ? load_big_padded(source, sizeof(Weight)) & ~Weight{0} << (64 - 8 * bytes)
                            : load_big_padded(source, bytes);
  level.remove_prefix(bytes);
  return weight;
}

inline std::size_t count_weights(std::string_view level) {
  std::size_t count = 0;
  while (take_weight(level) != 0) {
    ++count;
  }
  return count;
}

/// Writes the bytes of `weight`; returns where the next go.
inline char* put_weight(Weight weight, char* out) {
  for (; weight != 0; weight <<= 8) {
    *out++ = static_cast<char>(weight >> 56);
  }
  return out;
}

/// The levels of one transformed text; those that it lacks are empty.
inline std::array<std::string_view, kLevels> split_levels(std::string_view transformed) {
  std::array<std::string_view, kLevels> levels;
  for (std::size_t i = 0; i + 1 < kLevels; ++i) {
    const std::size_t end = std::min(transformed.find(kLevelSeparator), transformed.size());
    levels[i] = transformed.substr(0, end);
    transformed.remove_prefix(std::min(end + 1, transformed.size()));
  }
  levels.back() = transformed;
  return levels;
}

}  // namespace sortie
