#include "record/time/loose_zone.hpp"

#include <cstddef>
#include <cstdint>

#include "record/time/spelled_zone.hpp"
#include "record/time/zone_name.hpp"
#include "record/time/zone_offset.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

/// Takes a sign with blanks behind it.
bool take_loose_sign(TimeCursor& cursor, bool& is_west) {
  TimeCursor sign = cursor;
  const bool is_wide = sign.peek() == '\xE2' && sign.peek(1) == '\x88' && sign.peek(2) == '\x92';
  is_west = is_wide || sign.peek() == '-';
  if (!is_west && sign.peek() != '+') return false;
  for (int i = 0; i < (is_wide ? 3 : 1); ++i) sign.skip();
  if (!sign.is_at_blank()) return false;
  sign.skip_blanks_in_field();
  cursor = sign;
  return true;
}

/// The hours and minutes of an offset.
struct OffsetParts {
  unsigned hours = 0;
  unsigned minutes = 0;
  bool has_minutes = false;

  bool may_be_zone() const { return hours <= 14 && minutes <= 45 && minutes % 15 == 0; }
};

/// Takes hh:mm, hhmm, hh or h, behind which no other number goes on.
bool take_parts(TimeCursor& cursor, OffsetParts& parts) {
  const std::size_t digits = cursor.digits_ahead();
  if ((digits != 1 && digits != 2 && digits != 4) || !cursor.take_number(2, parts.hours)) return false;
  parts.has_minutes = digits == 4 || (cursor.peek() == ':' && is_digit(cursor.peek(1)));
  if (digits < 4 && parts.has_minutes) cursor.skip();
  if (parts.has_minutes && !cursor.take_digits(2, parts.minutes)) return false;
  if (cursor.peek() == '%' || (cursor.is_at_one_of(":.,'") && is_digit(cursor.peek(1)))) return false;
  return !cursor.goes_on();
}

bool is_in_front_of_day_period(TimeCursor cursor) {
  bool is_afternoon = false;
  cursor.skip_blanks_in_field();
  return cursor.take_day_period(is_afternoon) && !cursor.goes_on();
}

bool ends_text(const TimeCursor& cursor) { return cursor.is_at_closing() || cursor.is_at_separator(); }

ZoneTaken judge_behind_utc(const OffsetParts& parts, bool is_west, bool is_last) {
  if (is_last) return ZoneTaken::kZone;
  return parts.has_minutes || !is_west ? ZoneTaken::kUnknown : ZoneTaken::kNone;
}

// Behind a minus it may be the end of a span: 09:00 - 10:30, 22:00 - 06:00.
ZoneTaken judge_behind_time_of_day(const OffsetParts& parts, const CivilTime& time, bool is_west, bool is_last) {
  if (!parts.has_minutes) return ZoneTaken::kNone;
  const bool is_span = is_west && !time.has_seconds;
  if (is_span && parts.hours * 60 + parts.minutes > time.hour * 60 + time.minute) return ZoneTaken::kNone;
  return is_last && !is_span ? ZoneTaken::kZone : ZoneTaken::kUnknown;
}

/// Takes an offset behind the bracket or quote that ends a time, if it cannot be an amount.
bool take_offset_behind_closing(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  while (!zone.is_at_end() && zone.is_at_closing()) zone.skip();
  if (zone.taken() == cursor.taken()) return false;
  zone.skip_blanks_in_field();
  if (!is_clear_offset(zone)) return false;
  const bool has_zero = zone.peek(1) == '0';
  TimeCursor behind = zone;
  CivilTime with_zone = time;
  if (!take_offset(behind, with_zone, OffsetHours::kTwoDigits) || behind.goes_on()) return false;
  const bool has_colon = zone.peek(3) == ':';
  if (!has_zero && !has_colon && !ends_text(behind)) return false;  // it may be an amount: "] +1000 points"
  time = with_zone;
  cursor = behind;
  return true;
}

/// Takes a zone behind what names one: tz=CEST.
ZoneTaken take_labelled_zone(TimeCursor& cursor, CivilTime& time) {
  bool is_certain = false;
  TimeCursor zone = cursor;
  zone.take('(');
  if (!take_zone_label(zone, is_certain)) return ZoneTaken::kNone;
  CivilTime with_zone = time;
  const ZoneTaken taken = take_zone(zone, with_zone);
  if (taken != ZoneTaken::kZone || zone.goes_on()) {
    return is_certain || taken == ZoneTaken::kUnknown ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  time = with_zone;
  cursor = zone;
  return taken;
}

/// Takes a zone behind a word that names one, without a mark: "tz CEST", "in UTC". It has capitals, or a region.
ZoneTaken take_zone_behind_word(TimeCursor& cursor, CivilTime& time) {
  const char first = static_cast<char>(cursor.peek() | 0x20);
  const char second = static_cast<char>(cursor.peek(1) | 0x20);
  const bool may_be_word = first == 't'   ? second == 'z' || second == 'i'
                           : first == 'z' ? second == 'o'
                                          : first == 'i' && second == 'n';
  if (!may_be_word) return ZoneTaken::kNone;
  TimeCursor zone = cursor;
  const bool is_word = zone.take_word("tz ") || zone.take_word("zone ") || zone.take_word("timezone ") ||
                       zone.take_word("time zone ") || zone.take_word("in ");
  if (!is_word) return ZoneTaken::kNone;
  const std::size_t letters = zone.letters_ahead();
  const UpperWord word(zone.ahead(letters));
  const bool has_region = zone.peek(letters) == '/' && begins_like_database_zone(zone.ahead(letters + 1));
  const bool is_name =
      word.size >= 3 && word.has_capitals_only && (is_zone_word(word.text()) || is_name_of_utc(word.text()));
  CivilTime with_zone = time;
  const ZoneTaken taken = is_name || has_region ? take_zone(zone, with_zone) : ZoneTaken::kNone;
  if (taken != ZoneTaken::kZone) return taken;
  if (zone.goes_on()) return ZoneTaken::kNone;
  time = with_zone;
  cursor = zone;
  return taken;
}

}  // namespace

ZoneTaken take_loose_offset(TimeCursor& cursor, CivilTime& time, LooseOffset place) {
  TimeCursor offset = cursor;
  bool is_west = false;
  OffsetParts parts;
  if (!take_loose_sign(offset, is_west)) return ZoneTaken::kNone;
  const bool is_bare = place == LooseOffset::kBehindTimeOfDay;
  if (is_bare && (offset.digits_ahead() != 2 || offset.peek(2) != ':')) return ZoneTaken::kNone;
  if (!take_parts(offset, parts) || !parts.may_be_zone() || is_in_front_of_day_period(offset)) return ZoneTaken::kNone;
  const bool is_last = ends_text(offset);
  const ZoneTaken taken =
      is_bare ? judge_behind_time_of_day(parts, time, is_west, is_last) : judge_behind_utc(parts, is_west, is_last);
  if (taken != ZoneTaken::kZone) return taken;
  const auto seconds = static_cast<std::int32_t>(parts.hours * 3600 + parts.minutes * 60);
  time.set_zone(is_west ? -seconds : seconds);
  cursor = offset;
  return taken;
}

bool is_at_worded_offset(TimeCursor cursor) {
  OffsetParts parts;
  if (is_digit(cursor.peek())) {
    const bool is_year = cursor.digits_ahead() == 4 && cursor.peek() != '0';
    return !is_year && take_parts(cursor, parts) && parts.may_be_zone() && ends_text(cursor);
  }
  const bool is_word = cursor.take_word("plus") || cursor.take_word("minus") || cursor.take_word("offset");
  if (!is_word || cursor.goes_on()) return false;
  if (!cursor.take(':')) cursor.take('=');
  cursor.skip_blanks_in_field();
  if (!cursor.take('+')) cursor.take('-');
  return is_digit(cursor.peek());
}

bool take_zone_label(TimeCursor& cursor, bool& is_certain) {
  if (const char first = static_cast<char>(cursor.peek() | 0x20); first != 't' && first != 'z') return false;
  TimeCursor label = cursor;
  is_certain = label.take_word("timezone") || label.take_word("time zone") || label.take_word("time_zone") ||
               label.take_word("tz");
  if ((!is_certain && !label.take_word("zone")) || label.goes_on()) return false;
  label.skip_blanks_in_field();
  if (!label.take('=') && !label.take(':')) return false;
  label.skip_opening();
  cursor = label;
  return true;
}

ZoneTaken take_loose_zone(TimeCursor& cursor, CivilTime& time) {
  if (take_offset_behind_closing(cursor, time)) return ZoneTaken::kZone;
  TimeCursor zone = cursor;
  zone.skip_blanks_in_field();
  ZoneTaken taken = take_loose_offset(zone, time, LooseOffset::kBehindTimeOfDay);
  if (taken == ZoneTaken::kNone) taken = take_labelled_zone(zone, time);
  if (taken == ZoneTaken::kNone) taken = take_zone_behind_word(zone, time);
  if (taken == ZoneTaken::kZone) cursor = zone;
  return taken;
}

bool is_at_second_zone(TimeCursor behind, std::size_t letters) {
  if (letters > 1 && (is_at_offset(behind) || is_at_rest_of_spelled_zone(behind))) return true;
  behind.skip_blanks_in_field();
  return is_clear_offset(behind);
}

bool is_at_hour_mark(TimeCursor cursor) {
  if (!cursor.take('h') && !cursor.take('H')) return false;
  return ends_text(cursor) || is_digit(cursor.peek());
}

}  // namespace sortie
