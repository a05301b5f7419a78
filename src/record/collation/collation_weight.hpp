// What strxfrm() of the GNU C library writes: levels with a 0x01 between them, each a sequence of weights in the form
// of UTF-8, whose first byte tells their length. Collation keys are made of the weights of the first level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace sortie {

/// The bytes of a weight, at most 6, from the highest byte down, so that it compares as they do. 0: no weight.
using Weight = std::uint64_t;

inline constexpr char kLevelSeparator = '\x01';

constexpr std::size_t weight_bytes(unsigned char first) {
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : first < 0xFC ? 5 : 6;
}

/// The first weight of `level`, which is taken from it; 0 if it is empty.
inline Weight take_weight(std::string_view& level) {
  if (level.empty()) return 0;
  const std::size_t bytes = std::min(weight_bytes(static_cast<unsigned char>(level.front())), level.size());
  const Weight weight = load_big_padded(reinterpret_cast<const std::byte*>(level.data()), bytes);
  level.remove_prefix(bytes);
  return weight;
}

}  // namespace sortie
