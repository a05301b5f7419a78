// Words behind a time of day that are meant as zones, but have no meaning as one here: ET, JST, Japan. The reader of
// names of zones must tell them from other text.
#pragma once

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

/// Whether the word that stands here is meant as a zone of `time`.
bool is_meant_as_zone(const TimeCursor& cursor, const CivilTime& time);

/// Whether the name of a place that zones are named after ends the text or a bracket here: Japan, New_York.
bool is_at_last_place(const TimeCursor& cursor);

/// Whether digits come next that are an offset without its sign: 0200, 02:00, or 02 at the end.
bool is_at_bare_offset(TimeCursor cursor);

}  // namespace sortie
