// Zones that are written in loose ways: "- 02:00", "UTC + 2", "UTC plus 2", "tz=CEST", "] +0200". The reader of written
// zones takes them, or says that they are not known, as they must not get lost; messages behind a dash are none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"
#include "record/time/written_zone.hpp"

namespace sortie {

/// Where an offset stands: behind UTC it may lack its minutes.
enum class LooseOffset : std::uint8_t { kBehindTimeOfDay, kBehindUtc };

/// Takes an offset with blanks behind its sign, which comes next. In the middle of other text it is not known.
ZoneTaken take_loose_offset(TimeCursor& cursor, CivilTime& time, LooseOffset place);

/// Whether an offset behind UTC comes next in words, or as a bare number that ends the text.
bool is_at_worded_offset(TimeCursor cursor);

/// Takes what names a zone: "tz=", "time zone: ". `is_certain`: what follows is a zone, whatever it is.
bool take_zone_label(TimeCursor& cursor, bool& is_certain);

/// Takes a zone that stands loosely behind a time of day: its sign apart, behind a label, or behind the bracket or
/// quote that ends the time.
ZoneTaken take_loose_zone(TimeCursor& cursor, CivilTime& time);

/// Whether an offset follows the name of a zone of that many letters, which could not be both.
bool is_at_second_zone(TimeCursor behind, std::size_t letters);

/// Whether an hour mark makes an offset of a number with a sign: +02h, +02h30.
bool is_at_hour_mark(TimeCursor cursor);

}  // namespace sortie
