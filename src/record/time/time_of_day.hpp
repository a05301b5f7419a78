// The time of day behind a written date, and the zone behind it. Readers of dates take it.
#pragma once

#include <cstdint>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

/// How a date is written: without marks between its numbers, time of day and all may be bare digits.
enum class DateStyle : std::uint8_t { kMarks, kBareDigits };

/// Takes the time of day and the zone behind a date, if there are any. Returns false if something is there that looks
/// like one, but cannot be read.
bool take_time_of_day_if_any(TimeCursor& cursor, CivilTime& time, DateStyle style);

/// Takes hh, hhmm, hhmmss or hhmmssfff, which follow a date of bare digits directly.
bool take_joined_time_of_day(TimeCursor& cursor, CivilTime& time);

}  // namespace sortie
