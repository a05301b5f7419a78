#include "record/time/spelled_zone.hpp"

#include <cstddef>

namespace sortie {
namespace {

bool take_kind_of_time(TimeCursor& cursor) {
  for (const char* const kind :
       {"Standard Time", "Daylight Time", "Summer Time", "Winter Time", "Mean Time", "Universal Time", "European Time",
        "Eastern Time", "Central Time", "Mountain Time", "Pacific Time", "Atlantic Time", "Moscow Time"}) {
    if (cursor.take_word(kind)) return !cursor.goes_on();
  }
  return false;
}

}  // namespace

bool is_at_spelled_zone(TimeCursor cursor) {
  const bool is_capitalised = (cursor.peek() & 0x20) == 0 && (cursor.peek(1) & 0x20) != 0;
  if (!TimeCursor::is_letter(cursor.peek()) || !is_capitalised) return false;
  for (int words = 0; words < 4; ++words) {
    if (take_kind_of_time(cursor)) return true;
    for (std::size_t letters = cursor.letters_ahead(); letters > 0; --letters) cursor.skip();
    cursor.take('.');
    if (!cursor.take(' ')) return false;
  }
  return take_kind_of_time(cursor);
}

bool is_at_rest_of_spelled_zone(TimeCursor cursor) { return cursor.take(' ') && take_kind_of_time(cursor); }

}  // namespace sortie
