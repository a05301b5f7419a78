// What reading text needs of a locale, as tables by byte, so that no library call is made per byte and "C" does not
// depend on the process. The field finder, the text filter and the keys of numbers and months use it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
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

  bool is_blank(char byte) const { return blank[static_cast<unsigned char>(byte)]; }

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

/// The blanks of the locale "C".
inline constexpr TextLocale::ByteSet kBlanksOfC = [] {
  TextLocale::ByteSet blanks{};
  for (const unsigned char byte : {' ', '\t', '\n'}) blanks[byte] = true;
  return blanks;
}();

/// The locale "C", whatever the process has set. Its tables are built in: to ask the C library a thousand times takes
/// longer than to sort a few lines.
TextLocale c_text_locale();

/// The locale of the calling thread: that of uselocale(), else that of setlocale().
TextLocale current_text_locale();

/// `text` without the blanks in front.
inline std::string_view behind_blanks(std::string_view text, const TextLocale& locale) {
  while (!text.empty() && locale.is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// Months (-M): text that begins, behind blanks and in either case, with the abbreviated name of one.

/// A month that a text begins with.
struct MonthFound {
  unsigned number = 0;   ///< from 1; 0: none
  std::size_t size = 0;  ///< bytes of its name
};

/// Looks for the month as GNU sort does, by bisection: if one name is a prefix of another, it finds the one that it
/// meets first, and may miss both.
MonthFound find_month(std::string_view text, const TextLocale& locale);

/// The key of a text that is no month.
inline constexpr std::byte kNoMonthKey{0x20};
/// One byte from 0x10 to 0xF0: less for text that is no month than for January, and so on to December.
std::byte month_key(std::string_view text, const TextLocale& locale);

}  // namespace sortie
