#include "record/time/written_time.hpp"

#include <algorithm>
#include <utility>

#include "record/time/time_cursor.hpp"
#include "record/time/time_pattern.hpp"

namespace sortie {
namespace {

bool is_sign(char byte) { return byte == '+' || byte == '-'; }

/// Takes mm[:ss[.fraction]].
bool take_minutes(TimeCursor& cursor, CivilTime& time) {
  if (!cursor.take_digits(2, time.minute)) return false;
  if (cursor.peek() != ':' || !is_digit(cursor.peek(1))) return true;
  cursor.take(':');
  if (!cursor.take_digits(2, time.second)) return false;
  const char point = cursor.peek();
  if ((point != '.' && point != ',') || !is_digit(cursor.peek(1))) return true;
  return cursor.take(point) && cursor.take_fraction(time.attoseconds);
}

/// Takes AM or PM, also behind blanks.
bool take_half_of_day(TimeCursor& cursor, bool& is_afternoon) {
  TimeCursor half = cursor;
  half.skip_blanks_in_field();
  if (!half.take_half_of_day(is_afternoon) || half.goes_on()) return false;
  cursor = half;
  return true;
}

/// Takes h[h]:mm[:ss[.fraction]], with AM or PM if it is there, or h[h] with one of them; behind a T also hh.
bool take_clock(TimeCursor& cursor, CivilTime& time, bool is_behind_t = false) {
  const bool has_two_digits = is_digit(cursor.peek(1));
  if (!cursor.take_number(2, time.hour)) return false;
  const bool has_minutes = cursor.take(':');
  if (has_minutes && !take_minutes(cursor, time)) return false;
  bool is_afternoon = false;
  if (!take_half_of_day(cursor, is_afternoon)) return has_minutes || (is_behind_t && has_two_digits);
  return set_hour_of_half(time, is_afternoon);
}

/// Whether a time of day follows, or what must be meant as one: it is no text behind a date, even if it cannot be read.
bool is_at_clock(TimeCursor cursor) {
  unsigned hour = 0;
  if (!cursor.take_number(2, hour)) return false;
  bool is_afternoon = false;
  return cursor.peek() == ':' ? is_digit(cursor.peek(1)) : take_half_of_day(cursor, is_afternoon);
}

/// Takes the zone behind a time of day, if there is one. Returns false for what is not even text: directly behind the
/// time, a sign and a digit begin a zone. Behind blanks they may be text, as in "12:00 -5 apples".
bool take_zone_if_any(TimeCursor& cursor, CivilTime& time) {
  if (cursor.take_zone(time.zone_seconds)) return true;
  if (is_sign(cursor.peek()) && is_digit(cursor.peek(1))) return false;
  TimeCursor zone = cursor;
  zone.skip_blanks_in_field();
  std::int32_t zone_seconds = 0;
  if (!zone.take_zone(zone_seconds) || zone.goes_on()) return true;
  cursor = zone;
  time.zone_seconds = zone_seconds;
  return true;
}

bool take_t(TimeCursor& cursor) { return cursor.take('T') || cursor.take('t'); }

/// Takes the time of day and the zone behind a date, if there is one. Returns false if there is one that cannot be
/// read.
bool take_clock_if_any(TimeCursor& cursor, CivilTime& time) {
  if (take_t(cursor)) return take_clock(cursor, time, true) && take_zone_if_any(cursor, time);
  TimeCursor clock = cursor;
  const bool is_separate = clock.take_gap();
  if (!is_separate) clock.skip();
  if (!is_at_clock(clock)) return true;
  if (!is_separate) return false;
  cursor = clock;
  return take_clock(cursor, time) && take_zone_if_any(cursor, time);
}

/// Takes what follows the year of yyyymmdd[Thh[mm[ss[.fraction]]][zone]], or of yyyymmdd with a time of day as others
/// have it.
bool take_basic(TimeCursor& cursor, CivilTime& time) {
  if (!cursor.take_digits(2, time.month) || !cursor.take_digits(2, time.day)) return false;
  TimeCursor clock = cursor;
  if (!take_t(clock) || clock.peek(1) == ':' || clock.peek(2) == ':') return take_clock_if_any(cursor, time);
  cursor = clock;
  if (!cursor.take_digits(2, time.hour)) return false;
  const bool has_seconds = cursor.take_digits(2, time.minute) && cursor.take_digits(2, time.second);
  if (has_seconds && (cursor.peek() == '.' || cursor.peek() == ',')) {
    cursor.take(cursor.peek());
    if (!cursor.take_fraction(time.attoseconds)) return false;
  }
  return take_zone_if_any(cursor, time);
}

/// Takes yyyy-mm-dd[Thh[:mm[:ss[.fraction]]][zone]], with '/' for '-' and a gap for T as well, if there are minutes.
bool take_iso(TimeCursor& cursor, CivilTime& time) {
  unsigned year = 0;
  if (!cursor.take_digits(4, year)) return false;
  time.year = static_cast<int>(year);
  const char separator = cursor.peek();
  if (separator != '-' && separator != '/') return take_basic(cursor, time);
  if (!cursor.take(separator) || !cursor.take_digits(2, time.month)) return false;
  if (!cursor.take(separator) || !cursor.take_digits(2, time.day)) return false;
  return take_clock_if_any(cursor, time);
}

/// Takes dd/Mon/yyyy:hh:mm:ss[ zone], the form of web servers.
bool take_common_log(TimeCursor& cursor, CivilTime& time) {
  unsigned year = 0;
  if (!cursor.take_number(2, time.day) || !cursor.take('/') || !cursor.take_month(time.month)) return false;
  if (!cursor.take('/') || !cursor.take_digits(4, year)) return false;
  time.year = static_cast<int>(year);
  if (!cursor.take(':') && !cursor.take_gap()) return false;
  return take_clock(cursor, time) && take_zone_if_any(cursor, time);
}

/// Takes a year that is a word of its own.
bool take_year(TimeCursor& cursor, CivilTime& time) {
  TimeCursor behind = cursor;
  behind.skip_blanks_in_field();
  unsigned year = 0;
  if (behind.taken() == cursor.taken() || !behind.take_digits(4, year) || behind.goes_on()) return false;
  if (std::string_view("-._/").find(behind.peek()) != std::string_view::npos) return false;
  cursor = behind;
  time.year = static_cast<int>(year);
  return true;
}

/// Takes [Www ]Mon dd hh:mm:ss[.fraction][ zone][ yyyy][ zone]: the forms of syslog, without zone and year, and of
/// ctime() and date(1). There is one zone at most.
bool take_syslog(TimeCursor& cursor, CivilTime& time) {
  if (cursor.take_weekday() && !cursor.take_gap()) return false;
  if (!cursor.take_month(time.month) || !cursor.take_gap()) return false;
  if (!cursor.take_number(2, time.day) || !cursor.take_gap() || !take_clock(cursor, time)) return false;
  const std::size_t clock_end = cursor.taken();
  if (!take_zone_if_any(cursor, time)) return false;
  const bool has_zone = cursor.taken() > clock_end;
  return !take_year(cursor, time) || has_zone || take_zone_if_any(cursor, time);
}

bool take_usual(TimeCursor& cursor, CivilTime& time) {
  if (!is_digit(cursor.peek())) return take_syslog(cursor, time);
  TimeCursor iso = cursor;
  if (!take_iso(iso, time)) return take_common_log(cursor, time);
  cursor = iso;
  return true;
}

/// The decimal digits that a unit has of a second.
std::size_t digits_of_unit(TimeForm form) {
  switch (form) {
    case TimeForm::kMilliseconds:
      return 3;
    case TimeForm::kMicroseconds:
      return 6;
    case TimeForm::kNanoseconds:
      return 9;
    default:
      return 0;
  }
}

}  // namespace

TimeReader::TimeReader(const TimeType& type, std::optional<std::int32_t> last_day, std::string separator)
    : form_(type.form),
      pattern_(type.form == TimeForm::kPattern ? expanded_time_pattern(type.pattern) : std::string()),
      last_day_(last_day),
      separator_(std::move(separator)) {}

TimeFound TimeReader::read(std::string_view text) const {
  if (form_ != TimeForm::kUsual && form_ != TimeForm::kPattern) return read_number(text);
  TimeCursor cursor(text, separator_);
  CivilTime time;
  cursor.skip_blanks();
  if (form_ == TimeForm::kPattern) {
    return take_pattern(pattern_, cursor, time) ? found(time, cursor.taken()) : TimeFound();
  }
  cursor.take('[');
  return take_usual(cursor, time) && !cursor.goes_on() ? found(time, cursor.taken()) : TimeFound();
}

TimeFound TimeReader::found(CivilTime& time, std::size_t bytes) const {
  const bool assumes_year = !time.year;
  if (assumes_year) {
    if (!last_day_) return {.instant = {}, .bytes = bytes, .lacks_year = true};
    time.year = year_up_to(time, *last_day_);
  }
  const std::optional<Instant> instant = instant_of(time);
  return instant ? TimeFound{.instant = *instant, .bytes = bytes, .assumes_year = assumes_year} : TimeFound();
}

// Takes [-]digits[.digits]. The last digits of the whole number may be of a fraction, which those behind the point go
// on:
//
//   of milliseconds   971186136 123 . 45
//                     seconds   fraction
TimeFound TimeReader::read_number(std::string_view text) const {
  constexpr std::int64_t kTooLarge = kLastSecond + 1;
  TimeCursor cursor(text);
  cursor.skip_blanks();
  const bool is_negative = cursor.take('-');
  const std::size_t digits = cursor.digits_ahead();
  if (digits == 0) return {};
  const std::size_t of_fraction = std::min(digits, digits_of_unit(form_));
  std::int64_t seconds = 0;
  for (std::size_t i = of_fraction; i < digits; ++i) seconds = std::min(seconds * 10 + cursor.take_digit(), kTooLarge);
  FractionDigits fraction;
  for (std::size_t i = of_fraction; i < digits_of_unit(form_); ++i) fraction.append(0);
  for (std::size_t i = 0; i < of_fraction; ++i) fraction.append(cursor.take_digit());
  if (cursor.peek() == '.' && is_digit(cursor.peek(1)) && cursor.take('.')) {
    while (is_digit(cursor.peek())) fraction.append(cursor.take_digit());
  }
  if (cursor.goes_on()) return {};
  std::uint64_t attoseconds = fraction.attoseconds();
  if (is_negative) {
    seconds = -seconds - (attoseconds > 0 ? 1 : 0);
    attoseconds = attoseconds > 0 ? kAttosecondsInSecond - attoseconds : 0;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return {};
  return {{seconds, attoseconds}, cursor.taken()};
}

}  // namespace sortie
