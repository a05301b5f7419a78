#include "record/time/written_zone.hpp"

#include <cstddef>
#include <string_view>

#include "record/time/loose_zone.hpp"
#include "record/time/meant_zone.hpp"
#include "record/time/spelled_zone.hpp"
#include "record/time/time_zones.hpp"
#include "record/time/zone_name.hpp"
#include "record/time/zone_offset.hpp"
#include "record/time/zone_places.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

/// Takes a zone as Java has it: 13:55[Europe/Berlin].
ZoneTaken take_zone_in_brackets(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  zone.skip();
  if (!TimeCursor::is_letter(zone.peek())) return ZoneTaken::kNone;
  CivilTime with_zone = time;
  const ZoneTaken taken = take_zone_name(zone, with_zone);
  if (taken != ZoneTaken::kZone) return taken;
  if (!zone.take(']')) return ZoneTaken::kNone;
  time = with_zone;
  cursor = zone;
  return taken;
}

/// Whether an offset without minutes ends here, and not the first part of an amount.
bool ends_offset(const TimeCursor& behind) {
  if (behind.is_at_closing() || behind.is_at_blank() || behind.is_at_separator()) return true;
  return behind.is_at_one_of(",;:") && !is_digit(behind.peek(1));
}

/// Whether a word in square brackets, where logs have others, is one that is used for a zone.
bool is_usual_name(const TimeCursor& cursor) {
  const std::size_t letters = cursor.letters_ahead();
  CivilTime other;
  const std::string_view word = cursor.ahead(letters);
  return cursor.peek(letters) != ']' || is_name_of_utc(word) || is_zone_word(UpperWord(word).text()) ||
         (cursor.zones() != nullptr && cursor.zones()->find(word, other));
}

/// Takes a zone behind blanks, or in parentheses or brackets.
ZoneTaken take_separate_zone(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  zone.skip_blanks_in_field();
  const char end = zone.take('(') ? ')' : zone.take('[') ? ']' : '\0';
  if (zone.taken() == cursor.taken()) return ZoneTaken::kNone;
  if (is_at_spelled_zone(zone)) return ZoneTaken::kUnknown;
  const bool is_certain =
      is_like_long_offset(zone) || TimeCursor::is_letter(zone.peek()) || is_like_offset_in_points(zone);
  const bool has_sign = is_at_offset(zone);
  if (has_sign && is_like_cut_offset(zone)) return ZoneTaken::kUnknown;
  CivilTime with_zone = time;
  if (end == ']' && TimeCursor::is_letter(zone.peek()) && !is_usual_name(zone)) return ZoneTaken::kNone;
  const ZoneTaken taken = take_zone(zone, with_zone);
  if (taken == ZoneTaken::kUnknown && has_sign && !is_certain) {  // may be other text: "12:00 -5 apples"
    for (zone.skip(); is_digit(zone.peek());) zone.skip();
    return zone.is_at_closing() || is_at_hour_mark(zone) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  if (taken != ZoneTaken::kZone) return taken;
  if (zone.goes_on()) return is_certain || (has_sign && is_at_hour_mark(zone)) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  if (has_sign && !is_certain && !ends_offset(zone)) return ZoneTaken::kNone;
  if (end != '\0' && !zone.take(end)) return ZoneTaken::kNone;
  time = with_zone;
  cursor = zone;
  return taken;
}

/// Takes a zone that is a field of its own. Other fields may follow a time as well.
ZoneTaken take_zone_in_field(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  if (!zone.take_field_gap()) return ZoneTaken::kNone;
  const std::size_t letters = zone.letters_ahead();
  if (is_like_cut_offset(zone)) return ZoneTaken::kUnknown;
  if (letters == 0 && !is_clear_offset(zone)) return ZoneTaken::kNone;
  const UpperWord word(zone.ahead(letters));
  const bool is_z = zone.peek(1) == '\0' || zone.peek(1) == '+' || zone.peek(1) == '-' || is_digit(zone.peek(1));
  const bool is_name = is_zone_word(word.text()) || (letters > 0 && zone.peek(letters) == '/') ||
                       (is_name_of_utc(zone.ahead(letters)) && (letters > 1 || is_z)) || is_at_last_place(zone);
  CivilTime with_zone = time;
  if (letters > 0 && is_at_spelled_zone(zone)) return ZoneTaken::kUnknown;
  const ZoneTaken taken = take_zone(zone, with_zone);
  if (taken == ZoneTaken::kNone || (letters > 0 && taken == ZoneTaken::kUnknown && !is_name)) return ZoneTaken::kNone;
  if (taken == ZoneTaken::kUnknown) return taken;
  if (!zone.is_at_closing() && !zone.is_at_blank() && !zone.is_at_separator()) return ZoneTaken::kUnknown;
  time = with_zone;
  cursor = zone;
  return taken;
}

/// Takes the zone behind a time of day, wherever it stands.
ZoneTaken take_any_zone(TimeCursor& cursor, CivilTime& time) {
  if (cursor.is_at_end()) return ZoneTaken::kNone;
  if (cursor.peek() == 'Z' && (cursor.peek(1) == ' ' || cursor.peek(1) == '\0') && cursor.peek(2) != '+' &&
      cursor.peek(2) != '-') {
    cursor.skip();
    time.set_zone(0);
    return ZoneTaken::kZone;
  }
  if (cursor.goes_on() || is_at_offset(cursor)) {
    return take_zone(cursor, time) == ZoneTaken::kZone ? ZoneTaken::kZone : ZoneTaken::kUnknown;
  }
  if (const ZoneTaken loose = take_loose_zone(cursor, time); loose != ZoneTaken::kNone) return loose;
  const ZoneTaken taken = cursor.peek() == '[' ? take_zone_in_brackets(cursor, time) : take_separate_zone(cursor, time);
  return taken == ZoneTaken::kNone ? take_zone_in_field(cursor, time) : taken;
}

}  // namespace

ZoneTaken take_zone(TimeCursor& cursor, CivilTime& time) {
  if (TimeCursor::is_letter(cursor.peek())) return take_zone_name(cursor, time);
  if (!is_at_offset(cursor)) return ZoneTaken::kNone;
  return take_offset(cursor, time, OffsetHours::kTwoDigits) ? ZoneTaken::kZone : ZoneTaken::kUnknown;
}

ZoneTaken take_zone_behind_time_of_day(TimeCursor& cursor, CivilTime& time) {
  const ZoneTaken taken = take_any_zone(cursor, time);
  if (taken == ZoneTaken::kUnknown) time.zone = CivilTime::Zone::kUnknown;
  return taken;
}

// Capitals behind a date are mostly other words, and numbers are amounts.
bool take_zone_behind_date(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  zone.skip_blanks_in_field();
  const std::size_t letters = zone.letters_ahead();
  if (zone.taken() == cursor.taken() || letters < 2 || letters > kLongestZoneWord) return true;
  const UpperWord word(zone.ahead(letters));
  if (!word.has_capitals_only) return true;
  CivilTime with_zone = time;
  const ZoneTaken taken = take_zone_name(zone, with_zone);
  for (std::size_t i = 0; taken == ZoneTaken::kUnknown && i < letters; ++i) zone.skip();
  if (taken == ZoneTaken::kUnknown && is_zone_word(word.text()) && (letters > 2 || zone.is_at_closing())) {
    time.zone = CivilTime::Zone::kUnknown;
    return false;
  }
  if (taken != ZoneTaken::kZone || zone.goes_on()) return true;
  time = with_zone;
  cursor = zone;
  return true;
}

bool is_at_zone_and_year(TimeCursor cursor, bool is_certain) {
  const std::size_t begin = cursor.taken();
  cursor.skip_blanks_in_field();
  const bool is_enclosed = cursor.take('(');
  const std::size_t letters = cursor.letters_ahead();
  if (cursor.taken() == begin || letters == 0) return false;
  const bool is_capital = (cursor.peek() & 0x20) == 0;
  std::size_t size = letters;
  while (TimeCursor::is_letter(cursor.peek(size)) || cursor.peek(size) == '-') ++size;
  if (!is_capital || !is_zone_place(cursor.ahead(size))) {
    if (letters < 2 || letters > 6) return false;
    if (!is_certain && !UpperWord(cursor.ahead(letters)).has_capitals_only) return false;
    size = letters;
  }
  for (std::size_t i = 0; i < size; ++i) cursor.skip();
  if (is_enclosed) cursor.take(')');
  if (cursor.peek() != ' ') return false;
  cursor.skip_blanks_in_field();
  unsigned year = 0;
  return cursor.take_digits(4, year) && !cursor.goes_on() && !cursor.is_at_one_of("-._/:");
}

}  // namespace sortie
