// What reading text takes from a locale, as tables by byte, so that no library call is made per byte and "C" does not
// depend on the process. The field finder, the text filter and the keys of numbers and months use it.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace sortie {

struct TextLocale {
  using ByteSet = std::array<bool, 256>;

  /// For a locale without thousands separator, or with one of several bytes. GNU sort 9.1 skips this byte in -n, not
  /// in the numbers of -h that a suffix follows, and so do we.
  static constexpr unsigned char kNoSeparator = 0x80;

  unsigned char decimal_point = '.';
  unsigned char thousands_separator = kNoSeparator;
  ByteSet blank{};  ///< '\n' too: it is part of a line that ends with NUL
  ByteSet printable{};
  ByteSet alphanumeric{};
  std::array<unsigned char, 256> upper_case{};
  std::array<std::string, 12> months;  ///< abbreviated, upper case, without blanks
  bool collates = false;               ///< text orders by strcoll(), not by bytes
};

/// The locale "C", whatever the process has set.
TextLocale c_text_locale();

/// What the C library's current locale says. Not thread-safe against setlocale().
TextLocale current_text_locale();

}  // namespace sortie
