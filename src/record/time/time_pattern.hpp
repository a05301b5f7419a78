// Times that are written as a pattern says, in the letters of strftime(): what time(FORMAT) means.
#pragma once

#include <string>
#include <string_view>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

/// All letters that a pattern may hold, each behind its %, with blanks between them.
std::string known_pattern_letters();

/// Throws Error if `pattern` holds a letter that is not known, or none of a date or time of day.
void validate_time_pattern(std::string_view pattern);

/// `pattern` with the letters that stand for several others replaced by them. Behind %S a fraction may follow.
std::string expanded_time_pattern(std::string_view pattern);

/// Takes what the pattern describes. Blanks in it stand for any number of blanks, and numbers may have fewer digits but
/// for those of %Y and %y. Returns false if the text is another. Precondition: expanded and valid.
bool take_pattern(std::string_view pattern, TimeCursor& cursor, CivilTime& time);

}  // namespace sortie
