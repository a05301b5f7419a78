// What must be meant as a time of day, though no form has it there. The reader of what follows a date asks.
#pragma once

#include <cstdint>

#include "record/time/time_cursor.hpp"

namespace sortie {

/// Whether h:mm, 13h55, 1 PM or 1355Z comes next.
bool is_at_time_of_day(TimeCursor cursor);

/// Whether numbers of two digits come next that may be hour, minute and second: 13 55 36, 13.55,36.
bool is_at_spread_time_of_day(TimeCursor cursor);

/// How bare digits must stand to be a time of day that was not read.
enum class BareDigits : std::uint8_t {
  kEnding,  ///< behind blanks: hhmmss that ends the text
  kSix,     ///< hhmmss, or with a fraction
  kFour,    ///< hhmm, too
};

/// Whether bare digits come next that may be a time of day.
bool is_at_bare_time_of_day(TimeCursor cursor, BareDigits form);

}  // namespace sortie
