#include "record/time/time_parts.hpp"

#include "record/time/time_grammar.hpp"

namespace sortie {
namespace {

bool take_year_digits(TimeCursor& cursor, CivilTime& time) {
  unsigned year = 0;
  if (cursor.digits_ahead() != 4 || !cursor.take_digits(4, year)) return false;
  time.year = static_cast<int>(year);
  return true;
}

/// Takes a year that is a word of its own.
bool take_year_word(TimeCursor& cursor, CivilTime& time) {
  if (cursor.peek() == ' ' && cursor.peek(3) == ':') return false;  // as most lines of syslog go on
  TimeCursor behind = cursor;
  if (!take_gap(behind) || !is_at_shape<"9999!W(.!9|![-._/])">(behind)) return false;
  cursor = behind;
  return take_year_digits(cursor, time);
}

/// Whether a year behind a time of day ends as date(1) ends it. Other numbers may follow a time as well: 8080.
bool ends_year(const TimeCursor& behind, bool is_expected) {
  if (is_at_shape<"[-._/]">(behind)) return false;
  if (is_expected || is_at_shape<"($|:!9)">(behind)) return true;
  TimeCursor zone = behind;
  CivilTime other;
  return take_zone_behind_time_of_day(zone, other) != ZoneTaken::kNone;
}

/// Takes a year behind a time of day. `is_expected`: a day of the week or a zone is there, too.
bool take_year_behind_time_of_day(TimeCursor& cursor, CivilTime& time, bool is_expected) {
  TimeCursor behind = cursor;
  unsigned year = 0;
  if (!take_gap(behind) || !is_at_shape<"9999!W">(behind) || !behind.take_digits(4, year)) return false;
  const bool is_old = is_expected && behind.is_at_closing() && year >= 1000 && year < 3000;
  if ((!may_be_year(year) && !is_old) || !ends_year(behind, is_expected)) return false;
  time.year = static_cast<int>(year);
  cursor = behind;
  return true;
}

/// Takes yyyymmdd, with a time of day in bare digits or in others.
bool take_bare_date(TimeCursor& cursor, CivilTime& time) {
  const std::size_t digits = cursor.digits_ahead();
  unsigned year = 0;
  if (!cursor.take_digits(4, year) || !cursor.take_digits(2, time.month) || !cursor.take_digits(2, time.day)) {
    return false;
  }
  time.year = static_cast<int>(year);
  time.has_bare_date = true;
  if (digits == 8) return take_time_of_day_if_any(cursor, time, DateStyle::kBareDigits);
  return (digits == 12 || digits == 14 || digits == 17) && take_joined_time_of_day(cursor, time);
}

bool take_mark(TimeCursor& cursor, char mark) { return mark == ' ' ? take_shape<" ">(cursor) : cursor.take(mark); }

/// Takes yyyy-m[m]-d[d], with another mark for the minus, or with a name of a month.
bool take_year_first(TimeCursor& cursor, CivilTime& time) {
  if (cursor.digits_ahead() > 4) return take_bare_date(cursor, time);
  if (!take_year_digits(cursor, time)) return false;
  const char mark = cursor.peek();
  if (!cursor.is_at_one_of("-/.: ") || !take_mark(cursor, mark)) return false;
  const bool has_name = TimeCursor::is_letter(cursor.peek());
  if (has_name ? !take_month(cursor, time.month) : mark == ' ' || !cursor.take_number(2, time.month)) return false;
  if (!take_mark(cursor, mark) || !cursor.take_number(2, time.day) || is_digit(cursor.peek())) return false;
  const std::size_t date_end = cursor.taken();
  // Numbers with colons or points alone are too little to be a date.
  return take_time_of_day_if_any(cursor, time, DateStyle::kMarks) &&
         (has_name || (mark != ':' && mark != '.') || cursor.taken() > date_end);
}

bool has_same_zone(const CivilTime& one, const CivilTime& other) {
  return one.zone == other.zone && one.zone_seconds == other.zone_seconds && one.zone_name == other.zone_name;
}

/// Takes what follows a day and the name of a month, in either order: [ yyyy][ time of day][ zone][ yyyy][ zone]. There
/// is one year at most, and one zone, which may stand twice.
bool take_year_and_time_of_day(TimeCursor& cursor, CivilTime& time, bool has_weekday) {
  take_year_word(cursor, time);
  const std::size_t date_end = cursor.taken();
  if (!take_time_of_day_if_any(cursor, time, DateStyle::kMarks)) return false;
  if (time.year || cursor.taken() == date_end) return true;
  const bool has_zone = time.zone != CivilTime::Zone::kNone;
  if (!has_zone && is_at_zone_and_year(cursor, has_weekday)) {
    time.zone = CivilTime::Zone::kUnknown;
    return false;
  }
  if (!take_year_behind_time_of_day(cursor, time, has_weekday || has_zone)) return true;
  CivilTime second = time;
  const ZoneTaken zone = take_zone_behind_time_of_day(cursor, second);
  if (zone == ZoneTaken::kZone && has_zone && !has_same_zone(time, second)) return false;
  if (zone == ZoneTaken::kUnknown) {
    time.zone = second.zone;
    return false;
  }
  time = second;
  return true;
}

/// Takes d[d] Mon yyyy, also with a minus, slash or point between them, and d[d] Mon with a time of day.
bool take_day_first(TimeCursor& cursor, CivilTime& time, bool has_weekday) {
  if (!cursor.take_number(2, time.day)) return false;
  take_shape<"(st|nd|rd|th)!A">(cursor);
  const char mark = cursor.peek();
  if (!cursor.is_at_one_of("-/. ") || !take_mark(cursor, mark) || !take_month(cursor, time.month)) return false;
  if (mark == ' ') return take_year_and_time_of_day(cursor, time, has_weekday) && (time.year || time.has_time_of_day);
  return take_mark(cursor, mark) && take_year_digits(cursor, time) &&
         take_time_of_day_if_any(cursor, time, DateStyle::kMarks);
}

bool ends_plain_date(char behind) { return behind == 'T' || behind == ' ' || behind == '\0'; }

/// Takes yyyy-mm-dd with nothing but a T, a blank or the end behind it: most times begin so.
bool take_plain_date(TimeCursor& cursor, CivilTime& time) {
  if (cursor.peek(4) != '-' || cursor.peek(7) != '-' || !ends_plain_date(cursor.peek(10))) return false;
  TimeCursor date = cursor;
  unsigned year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (!date.take_digits(4, year)) return false;
  date.skip();
  if (!date.take_digits(2, month)) return false;
  date.skip();
  if (!date.take_digits(2, day)) return false;
  time.year = static_cast<int>(year);
  time.month = month;
  time.day = day;
  cursor = date;
  return true;
}

/// Takes Mon d[d] and what may follow: the forms of syslog, routers, ctime() and date(1).
bool take_month_first(TimeCursor& cursor, CivilTime& time, bool has_weekday) {
  if (!take_month(cursor, time.month)) return false;
  const char mark = cursor.peek();
  if (mark == '-' || mark == '/') {
    return cursor.take(mark) && cursor.take_number(2, time.day) && cursor.take(mark) &&
           take_year_digits(cursor, time) && take_time_of_day_if_any(cursor, time, DateStyle::kMarks);
  }
  if (!take_gap(cursor) || !cursor.take_number(2, time.day) || is_digit(cursor.peek())) return false;
  take_shape<"(st|nd|rd|th)!A">(cursor);
  // No usual form joins a number to a day like this: Oct 10-2023, Oct 10. 2023.
  return !is_at_shape<"[-/._]_9">(cursor) && take_year_and_time_of_day(cursor, time, has_weekday);
}

}  // namespace

bool take_usual_time(TimeCursor& cursor, CivilTime& time) {
  if (take_plain_date(cursor, time)) return take_time_of_day_if_any(cursor, time, DateStyle::kMarks);
  const bool has_weekday = TimeCursor::is_letter(cursor.peek()) && take_weekday(cursor);
  if (has_weekday && !take_gap(cursor)) return false;
  if (!is_digit(cursor.peek())) return take_month_first(cursor, time, has_weekday);
  return cursor.digits_ahead() > 2 ? take_year_first(cursor, time) : take_day_first(cursor, time, has_weekday);
}

}  // namespace sortie
