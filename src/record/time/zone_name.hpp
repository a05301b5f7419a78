// Zones themselves: offsets as +02:00, names as UTC, EST, CET, Europe/Berlin. The reader of written zones knows where
// they stand.
//
// A zone that is not known must not change a time: what is meant as a zone, but is none that has a meaning here, is
// told from other text.
#pragma once

#include <cstdint>
#include <string_view>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

enum class ZoneTaken : std::uint8_t {
  kNone,     ///< what follows is other text
  kZone,     ///< taken
  kUnknown,  ///< what follows is a zone, but not known which
};

/// Takes the zone that stands here: an offset or a name. If none was taken, cursor and zone of the time have no meaning
/// afterwards; the same holds for the functions below.
ZoneTaken take_zone(TimeCursor& cursor, CivilTime& time);

/// Takes the name that stands here, and behind UTC and its like an offset.
ZoneTaken take_zone_name(TimeCursor& cursor, CivilTime& time);

enum class OffsetHours : std::uint8_t { kTwoDigits, kMayHaveOneDigit };

/// Takes +hh, +hhmm, +hh:mm or +hh:mm:ss, or the same with a minus, or nothing.
bool take_offset(TimeCursor& cursor, CivilTime& time, OffsetHours form = OffsetHours::kTwoDigits);

/// Takes an offset with blanks behind its sign, which comes next: "- 02:00". In the middle of other text it is not
/// known.
ZoneTaken take_loose_offset(TimeCursor& cursor, CivilTime& time);

/// Takes an offset, or UTC and its like, with an offset or without. These need no names from outside.
bool take_fixed_zone(TimeCursor& cursor, CivilTime& time);

/// Whether it is UTC, GMT, UT or Z, in either case.
bool is_name_of_utc(std::string_view word);

}  // namespace sortie
