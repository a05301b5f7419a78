// What reading text needs of a locale, as tables by byte, so that no library call is made per byte and "C" does not
// depend on the process. The field finder, the text filter and the keys of numbers and months use it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "record/collation/collated_text.hpp"

namespace sortie {

struct TextLocale {
  using ByteSet = std::array<bool, 256>;

  struct Month {
    std::string name;     ///< abbreviated, upper case, without blanks
    unsigned number = 0;  ///< from 1
  };

  /// For a locale without thousands separator, or with one of several bytes. GNU sort 9.1 skips this byte in -n, but
  /// not in the numbers of -h that a suffix follows, and so do we.
  static constexpr unsigned char kNoSeparator = 0x80;

  /// Leaves the tables empty.
  explicit TextLocale(LocaleHandle locale) : handle(std::move(locale)) {}

  unsigned char decimal_point = '.';
  unsigned char thousands_separator = kNoSeparator;
  ByteSet blank{};  ///< '\n' too: it is part of a line that ends with NUL
  ByteSet printable{};
  ByteSet alphanumeric{};
  std::array<unsigned char, 256> upper_case{};
  std::array<Month, 12> months;  ///< in the order of the bytes of their names
  LocaleHandle handle;           ///< for calls that must ask the C library
  bool collates = false;         ///< text orders by strcoll(), not by bytes
  bool transforms = false;       ///< random keys are hashes of strxfrm()
};

/// The locale "C", whatever the process has set.
TextLocale c_text_locale();

/// The locale of the calling thread: that of uselocale(), else that of setlocale().
TextLocale current_text_locale();

}  // namespace sortie
