// The zone of a written time: +02:00, UTC, EST, CET, GMT+0200. Readers of times take it.
//
// A zone that is not known must not change a time: what is meant as a zone, but is none that has a meaning here, is
// told from other text.
#pragma once

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

enum class ZoneTaken {
  kNone,     ///< what follows is other text
  kZone,     ///< taken
  kUnknown,  ///< what follows is a zone, but not known which
};

/// Takes the zone that stands here: an offset or a name.
ZoneTaken take_zone(TimeCursor& cursor, CivilTime& time);

/// Takes the zone behind a time of day, which may stand behind blanks and in parentheses.
ZoneTaken take_zone_behind_time_of_day(TimeCursor& cursor, CivilTime& time);

/// Takes the name of a zone, in capitals, behind a date without a time of day. Returns false if it is not known which.
bool take_zone_behind_date(TimeCursor& cursor, CivilTime& time);

/// Whether what comes next, behind blanks, is a word and a year: so date(1) writes a zone. `is_certain`: whatever the
/// word; else it is made of capitals.
bool is_at_zone_and_year(TimeCursor cursor, bool is_certain);

}  // namespace sortie
