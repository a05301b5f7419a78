// Keys of numbers. Those of decimal numbers of any length (-n) are written straight behind the keys before:
//
//   | sign and count of integral digits | two digits | two digits | ... | if negative: 0x80 |
//
// The digits are those of the integral part without leading zeros, then those of the fraction without trailing zeros;
// a pair is 0x10 + its value, or 0x73 - its value in a negative number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "record/collation/collated_text.hpp"
#include "record/text/text_locale.hpp"

namespace sortie {

/// Bytes that write_number_key() may touch for `size` bytes of text.
constexpr std::size_t number_key_room(std::size_t size) { return size / 2 + 24; }

/// Writes bytes whose memcmp order is that of the numbers that texts begin with: blanks, '-', digits, in which a
/// locale's thousands separators do not count, decimal point, digits. A missing number is 0, and so is -0. The bytes
/// are from 0x10 to 0xF0. Returns the byte behind them. Time: linear in `text`. At least `readable` bytes from the
/// begin of `text` may be read; if they are more than the text, it is faster.
std::byte* write_number_key(std::string_view text, std::size_t readable, const TextLocale& locale, std::byte* out);

/// How much of a text is the number that its key is of.
enum class NumberExtent : std::uint8_t {
  kNone,  ///< there is no number
  kPart,  ///< something other than blanks, and the end of a line of Windows, follows it
  kAll,
};
/// Takes a text that begins with a number, behind which `rest` follows.
NumberExtent extent_before(std::string_view rest, const TextLocale& locale);
/// `has_suffix`: it may have one for thousands, as for write_human_key().
NumberExtent extent_of_number(std::string_view text, const TextLocale& locale, bool has_suffix);
/// Bytes of the number that GNU sort shows, with sign and suffix, where `text` begins behind blanks: thousands
/// separators count between digits only. 0: there is none.
std::size_t shown_number_bytes(std::string_view text, const TextLocale& locale, bool has_suffix);

/// Keys of numbers with a suffix for thousands (-h): 2K, 1.5G. The record codec writes them.
///
///   | 0x40 + sign and position of the suffix | key of the number (-n) |
///
/// Bytes that write_human_key() may touch for `size` bytes of text.
constexpr std::size_t human_key_room(std::size_t size) { return number_key_room(size) + 1; }

/// Writes bytes whose memcmp order is: sign, then suffix (none, K or k, M, G, T, P, E, Z, Y), then number; 2000 comes
/// before 1K. Zero has no suffix. The bytes are from 0x10 to 0xF0. Returns the byte behind them.
std::byte* write_human_key(std::string_view text, const TextLocale& locale, std::byte* out);

// Keys of numbers as strtold() reads them (-g): decimal with exponent, hexadecimal, infinities and NaNs.

/// Appends bytes to `out` whose memcmp order is: text that is no number (all equal), NaNs by their bytes in memory,
/// then the values from -infinity to +infinity, -0 equal to +0. Leading white space and what follows the number do not
/// count. None of the bytes is 0, 1 or '\n'. Thread-safe. Time: linear in `text`.
void append_general_number_key(std::string_view text, const LocaleHandle& locale, std::string& out);

/// Bytes of the number, or NaN, that the key of `text` is of, with the blanks in front; 0 if there is none.
std::size_t general_number_bytes(std::string_view text, const TextLocale& locale);
/// How much of `text` that is.
NumberExtent extent_of_general_number(std::string_view text, const TextLocale& locale);

}  // namespace sortie
