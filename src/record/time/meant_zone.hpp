// What is meant as a zone behind a time of day, but has no meaning as one here: ET, JST, Japan, Eastern Standard Time.
// The readers of zones must tell it from other text, as a time must not lose its zone.
#pragma once

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

/// Whether the word that stands here is meant as a zone of `time`.
bool is_meant_as_zone(const TimeCursor& cursor, const CivilTime& time);

/// Whether a zone is spelled out here: W. Europe Summer Time, Central European Time.
bool is_at_spelled_zone(const TimeCursor& cursor);

/// Whether the name of a place that zones are named after ends the text or a bracket here: Japan, New_York.
bool is_at_last_place(const TimeCursor& cursor);

/// Whether digits come next that are an offset without its sign: 0200, 02:00, or 02 at the end.
bool is_at_bare_offset(TimeCursor cursor);

}  // namespace sortie
