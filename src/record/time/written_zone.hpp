// Where the zone of a written time stands: behind the time of day, with blanks, brackets, a label or in a field of its
// own between them. Readers of times take it.
#pragma once

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"
#include "record/time/zone_name.hpp"

namespace sortie {

/// Takes the zone behind a time of day, which may stand behind blanks and in parentheses. The time has it then, or
/// says that it is not known.
ZoneTaken take_zone_behind_time_of_day(TimeCursor& cursor, CivilTime& time);

/// Takes the name of a zone, in capitals, behind a date without a time of day. Returns false if it is not known which.
bool take_zone_behind_date(TimeCursor& cursor, CivilTime& time);

/// Whether what comes next, behind blanks, is a word and a year: so date(1) writes a zone. `is_certain`: whatever the
/// word; else it is made of capitals.
bool is_at_zone_and_year(TimeCursor cursor, bool is_certain);

}  // namespace sortie
