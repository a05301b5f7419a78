// The name of a zone in a written time: UTC, EST, CET, Europe/Berlin. The reader of written zones takes it.
#pragma once

#include <string_view>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"
#include "record/time/written_zone.hpp"

namespace sortie {

/// Takes the name that stands here, and behind UTC and its like an offset.
ZoneTaken take_zone_name(TimeCursor& cursor, CivilTime& time);

/// Takes an offset, or UTC and its like, with an offset or without. These need no names from outside.
bool take_fixed_zone(TimeCursor& cursor, CivilTime& time);

/// Whether it is UTC, GMT, UT or Z, in either case.
bool is_name_of_utc(std::string_view word);

}  // namespace sortie
