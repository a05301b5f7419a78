#include "record/time/spelled_zone.hpp"

#include <cstddef>

#include "record/time/zone_places.hpp"

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

/// Whether the time of a place comes next, in either case: eastern standard time, Tokyo Time, local time. The short
/// form ends the text or a bracket.
bool is_at_time_of_place(TimeCursor cursor) {
  const TimeCursor place = cursor;
  const std::size_t letters = cursor.letters_ahead();
  for (std::size_t i = 0; i < letters; ++i) cursor.skip();
  if (!cursor.take(' ')) return false;
  TimeCursor short_form = cursor;
  const bool is_short = short_form.take_word("time") && short_form.is_at_closing();
  return (is_short || take_kind_of_time(cursor)) && is_zone_place(place.ahead(letters));
}

}  // namespace

bool is_at_spelled_zone(TimeCursor cursor) {
  const bool is_capitalised = (cursor.peek() & 0x20) == 0 && (cursor.peek(1) & 0x20) != 0;
  if (!TimeCursor::is_letter(cursor.peek())) return false;
  if ((is_capitalised || cursor.is_at_one_of("acelmp")) && is_at_time_of_place(cursor)) return true;
  if (!is_capitalised) return false;
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
