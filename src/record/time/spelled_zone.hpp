// Names of zones that are spelled out: Eastern Daylight Time. The reader of written zones does not know which they are,
// but must tell them from other text.
#pragma once

#include "record/time/time_cursor.hpp"

namespace sortie {

/// Whether a zone is spelled out here: W. Europe Summer Time, Central European Time.
bool is_at_spelled_zone(TimeCursor cursor);

/// Whether the word in front of this is the first of such a name: GMT Daylight Time.
bool is_at_rest_of_spelled_zone(TimeCursor cursor);

}  // namespace sortie
