// Offsets from UTC as written zones have them: +02:00. The reader of written zones takes them.
#pragma once

#include <cstdint>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

enum class OffsetHours : std::uint8_t { kTwoDigits, kMayHaveOneDigit };

/// Whether a sign and a digit come next.
bool is_at_offset(const TimeCursor& cursor);

/// Takes +hh, +hhmm, +hh:mm or +hh:mm:ss, or the same with a minus, which may be the one of typesetters.
bool take_offset(TimeCursor& cursor, CivilTime& time, OffsetHours form);

/// Whether what comes next has the form of an offset with minutes, be it one or not.
bool is_like_long_offset(TimeCursor cursor);

/// Whether it begins as an offset does that cannot be an amount, but does not end as one: -0700x, +02:0.
bool is_like_cut_offset(TimeCursor cursor);

/// Whether it has the form of an offset with another mark, as numbers have none: +05.30.
bool is_like_offset_in_points(TimeCursor cursor);

/// Whether it is a long offset where numbers stand as well: -1250 in front of other text is none.
bool is_clear_offset(TimeCursor cursor);

}  // namespace sortie
