#include "record/time/spelled_zone.hpp"

#include <cstddef>
#include <string_view>

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

/// Whether the time of a place ends the text or a bracket: Tokyo Time.
bool is_at_time_of_place(TimeCursor cursor) {
  const TimeCursor place = cursor;
  const std::size_t letters = cursor.letters_ahead();
  for (std::size_t i = 0; i < letters; ++i) cursor.skip();
  return cursor.take(' ') && cursor.take_word("time") && cursor.is_at_closing() && is_zone_place(place.ahead(letters));
}

/// Whether it is spelled in small letters: eastern standard time, and local time at the end.
bool is_at_small_letters(TimeCursor cursor) {
  for (const std::string_view region : {"eastern ", "central ", "mountain ", "pacific ", "atlantic ", "local "}) {
    if (cursor.peek() != region[0]) continue;
    const TimeCursor place = cursor;
    return cursor.take_word(region) && (take_kind_of_time(cursor) || is_at_time_of_place(place));
  }
  return false;
}

}  // namespace

bool is_at_spelled_zone(TimeCursor cursor) {
  const bool is_capitalised = (cursor.peek() & 0x20) == 0 && (cursor.peek(1) & 0x20) != 0;
  if (!TimeCursor::is_letter(cursor.peek())) return false;
  if (!is_capitalised) return is_at_small_letters(cursor);
  if (is_at_time_of_place(cursor)) return true;
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
