// The parts of a written time and their readers: date, time of day, zone, and what may not follow. The sources named
// below have them; TimeReader puts them together.
#pragma once

#include <cstdint>
#include <string_view>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

// usual_time.cpp: times in the forms that logs and data have.

/// Takes a time in one of the forms that the manual lists. Returns false if it is none, or if it goes on in a way that
/// cannot be read.
bool take_usual_time(TimeCursor& cursor, CivilTime& time);

// time_of_day.cpp: the time of day behind a date, and the zone behind it.

/// How a date is written: without marks between its numbers, time of day and all may be bare digits.
enum class DateStyle : std::uint8_t { kMarks, kBareDigits };

/// Takes the time of day and the zone behind a date, if there are any. Returns false if something is there that looks
/// like one, but cannot be read.
bool take_time_of_day_if_any(TimeCursor& cursor, CivilTime& time, DateStyle style);

/// Takes hh, hhmm, hhmmss or hhmmssfff, which follow a date of bare digits directly.
bool take_joined_time_of_day(TimeCursor& cursor, CivilTime& time);

// zone_name.cpp: zones themselves, offsets as +02:00, names as UTC, EST, CET, Europe/Berlin. A zone that is not known
// must not change a time: what is meant as a zone, but is none that has a meaning here, is told from other text.

enum class ZoneTaken : std::uint8_t {
  kNone,     ///< what follows is other text
  kZone,     ///< taken
  kUnknown,  ///< what follows is a zone, but not known which
};

// Where they say that no zone was taken, what the cursor and the zone of the time have become does not count.

/// Takes the zone that stands here: an offset or a name.
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

// written_zone.cpp: where the zone stands: behind the time of day, with blanks, brackets, a label or in a field of its
// own between them.

/// Takes the zone behind a time of day, which may stand behind blanks and in parentheses. The time has it then, or
/// says that it is not known.
ZoneTaken take_zone_behind_time_of_day(TimeCursor& cursor, CivilTime& time);

/// Takes the name of a zone, in capitals, behind a date without a time of day. Returns false if it is not known which.
bool take_zone_behind_date(TimeCursor& cursor, CivilTime& time);

/// Whether what comes next, behind blanks, is a word and a year: so date(1) writes a zone. `is_certain`: whatever the
/// word; else it is made of capitals.
bool is_at_zone_and_year(TimeCursor cursor, bool is_certain);

// meant_zone.cpp: what is meant as a zone behind a time of day, but has no meaning as one here: ET, JST, Japan, Eastern
// Standard Time. It must be told from other text, as a time must not lose its zone.

/// Whether the word that stands here is meant as a zone of `time`.
bool is_meant_as_zone(const TimeCursor& cursor, const CivilTime& time);

/// Whether a zone is spelled out here: W. Europe Summer Time, Central European Time.
bool is_at_spelled_zone(const TimeCursor& cursor);

/// Whether the name of a place that zones are named after ends the text or a bracket here: Japan, New_York.
bool is_at_last_place(const TimeCursor& cursor);

/// Whether digits come next that are an offset without its sign: 0200, 02:00, or 02 at the end.
bool is_at_bare_offset(TimeCursor cursor);

// time_rest.cpp: what stands behind a time that was read. Most of it is other text; what looks like another part of the
// time is not ignored, as it could be another moment.

/// Whether a number of four digits is one that dates have as years, where other numbers stand as well.
constexpr bool may_be_year(unsigned number) { return number >= 1900 && number <= 2100; }

/// Whether a part of the time follows that was not read: a time of day, the rest of a fraction, AM or PM, a zone, a
/// year. Says in `time` if it is a zone.
bool is_cut_off(const TimeCursor& cursor, CivilTime& time);

}  // namespace sortie
