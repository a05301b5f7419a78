// Keys of months (-M): text that begins, behind blanks and in either case, with the abbreviated name of a month. The
// record codec writes them.
#pragma once

#include <cstddef>
#include <string_view>

#include "record/text/text_locale.hpp"

namespace sortie {

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
