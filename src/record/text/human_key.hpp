// Keys of numbers with a suffix for thousands (-h): 2K, 1.5G. The line decorator writes them.
//
//   | 0x40 + sign and place of the suffix | key of the number (-n) |
#pragma once

#include <cstddef>
#include <string_view>

#include "record/text/number_key.hpp"

namespace sortie {

/// Bytes that write_human_key() may touch for `size` bytes of text.
constexpr std::size_t human_key_room(std::size_t size) { return number_key_room(size) + 1; }

/// Writes bytes whose memcmp order is: sign, then suffix (none, K or k, M, G, T, P, E, Z, Y), then number; 2000 comes
/// before 1K. Zero has no suffix. The bytes are from 0x10 to 0xF0. Returns the byte behind them.
std::byte* write_human_key(std::string_view text, const TextLocale& locale, std::byte* out);

}  // namespace sortie
