// What stands behind a time that was read. Most of it is other text; what looks like another part of the time is not
// ignored, as it could be another moment. The reader of written times asks.
#pragma once

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

/// Whether a number of four digits is one that dates have as years, where other numbers stand as well.
constexpr bool may_be_year(unsigned number) { return number >= 1900 && number <= 2100; }

/// Whether a part of the time follows that was not read: a time of day, the rest of a fraction, AM or PM, a zone, a
/// year. Says in `time` if it is a zone.
bool is_cut_off(const TimeCursor& cursor, CivilTime& time);

}  // namespace sortie
