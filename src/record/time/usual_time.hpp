// Times in the forms that logs and data have. TimeReader takes them.
#pragma once

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

/// Takes a time in one of the forms that the manual lists. Returns false if it is none, or if it goes on in a way that
/// cannot be read.
bool take_usual_time(TimeCursor& cursor, CivilTime& time);

}  // namespace sortie
