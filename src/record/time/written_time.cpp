#include "record/time/written_time.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/time/time_cursor.hpp"
#include "record/time/time_pattern.hpp"

namespace sortie {
namespace {

bool is_sign(char byte) { return byte == '+' || byte == '-'; }

/// Takes hh:mm[:ss[.fraction]].
bool take_clock(TimeCursor& cursor, CivilTime& time) {
  if (!cursor.take_digits(2, time.hour) || !cursor.take(':') || !cursor.take_digits(2, time.minute)) return false;
  if (cursor.peek() != ':' || !is_digit(cursor.peek(1))) return true;
  cursor.take(':');
  if (!cursor.take_digits(2, time.second)) return false;
  const char point = cursor.peek();
  if ((point != '.' && point != ',') || !is_digit(cursor.peek(1))) return true;
  return cursor.take(point) && cursor.take_fraction(time.nanoseconds);
}

/// Takes the zone behind a time of day, if there is one. Behind a blank it has minutes: "12:00 -5" has none.
bool take_zone_if_any(TimeCursor& cursor, CivilTime& time) {
  if (cursor.take_zone(time.zone_seconds)) return true;
  if (is_sign(cursor.peek()) && is_digit(cursor.peek(1))) return false;
  const bool has_minutes = is_digit(cursor.peek(cursor.peek(4) == ':' ? 5 : 4));
  if (cursor.peek() != ' ' || !is_sign(cursor.peek(1)) || !has_minutes) return true;
  TimeCursor zone = cursor;
  zone.take(' ');
  if (zone.take_zone(time.zone_seconds)) cursor = zone;
  return true;
}

/// Takes what follows the year of yyyymmddThhmm[ss[.fraction]][zone].
bool take_basic(TimeCursor& cursor, CivilTime& time) {
  if (!cursor.take_digits(2, time.month) || !cursor.take_digits(2, time.day)) return false;
  if (!cursor.take('T') || !cursor.take_digits(2, time.hour) || !cursor.take_digits(2, time.minute)) return false;
  if (cursor.take_digits(2, time.second) && (cursor.peek() == '.' || cursor.peek() == ',')) {
    cursor.take(cursor.peek());
    if (!cursor.take_fraction(time.nanoseconds)) return false;
  }
  return take_zone_if_any(cursor, time);
}

/// Takes yyyy-mm-dd[Thh:mm[:ss[.fraction]][zone]], with '/' for '-' and a blank for T as well.
bool take_iso(TimeCursor& cursor, CivilTime& time) {
  unsigned year = 0;
  if (!cursor.take_digits(4, year)) return false;
  time.year = static_cast<int>(year);
  const char separator = cursor.peek();
  if (separator != '-' && separator != '/') return take_basic(cursor, time);
  if (!cursor.take(separator) || !cursor.take_digits(2, time.month)) return false;
  if (!cursor.take(separator) || !cursor.take_digits(2, time.day)) return false;
  const char between = cursor.peek();
  const bool may_end = between != 'T' && between != 't' && between != ' ';
  if (may_end || !is_digit(cursor.peek(1)) || !is_digit(cursor.peek(2)) || cursor.peek(3) != ':') return true;
  return cursor.take(between) && take_clock(cursor, time) && take_zone_if_any(cursor, time);
}

/// Takes dd/Mon/yyyy:hh:mm:ss[ zone], the form of web servers.
bool take_common_log(TimeCursor& cursor, CivilTime& time) {
  unsigned year = 0;
  if (!cursor.take_number(2, time.day) || !cursor.take('/') || !cursor.take_month(time.month)) return false;
  if (!cursor.take('/') || !cursor.take_digits(4, year)) return false;
  time.year = static_cast<int>(year);
  if (!cursor.take(':') && !cursor.take(' ')) return false;
  return take_clock(cursor, time) && take_zone_if_any(cursor, time);
}

/// Takes Mon dd hh:mm:ss[.fraction], the form of syslog.
bool take_syslog(TimeCursor& cursor, CivilTime& time) {
  if (!cursor.take_month(time.month) || cursor.peek() != ' ') return false;
  cursor.skip_blanks();
  return cursor.take_number(2, time.day) && cursor.take(' ') && take_clock(cursor, time);
}

bool take_usual(TimeCursor& cursor, CivilTime& time) {
  if (!is_digit(cursor.peek())) return take_syslog(cursor, time);
  TimeCursor iso = cursor;
  if (!take_iso(iso, time)) return take_common_log(cursor, time);
  cursor = iso;
  return true;
}

bool goes_on(const TimeCursor& cursor) { return is_digit(cursor.peek()) || TimeCursor::is_letter(cursor.peek()); }

/// Digits of a number since 1970 that are a fraction of a second.
std::size_t fraction_digits(TimeForm form) {
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

TimeReader::TimeReader(const TimeType& type, std::optional<std::int32_t> last_day)
    : form_(type.form),
      pattern_(type.form == TimeForm::kPattern ? expanded_time_pattern(type.pattern) : std::string()),
      last_day_(last_day) {}

TimeFound TimeReader::read(std::string_view text) const {
  if (form_ != TimeForm::kUsual && form_ != TimeForm::kPattern) return read_number(text);
  TimeCursor cursor(text);
  CivilTime time;
  cursor.skip_blanks();
  if (form_ == TimeForm::kPattern) {
    return take_pattern(pattern_, cursor, time) ? found(time, text, cursor.taken()) : TimeFound();
  }
  cursor.take('[');
  return take_usual(cursor, time) && !goes_on(cursor) ? found(time, text, cursor.taken()) : TimeFound();
}

TimeFound TimeReader::found(CivilTime& time, std::string_view text, std::size_t bytes) const {
  if (!time.year) {
    if (!last_day_) throw Error("the time " + quote_word(text.substr(0, bytes)) + " has no year: say which it is");
    time.year = year_up_to(time, *last_day_);
  }
  const std::optional<Instant> instant = instant_of(time);
  return instant ? TimeFound{*instant, bytes} : TimeFound();
}

// Takes [-]digits[.digits]. The last digits of the whole number are a fraction of a second, and those behind the point
// follow them.
TimeFound TimeReader::read_number(std::string_view text) const {
  constexpr std::size_t kMostDigits = 12;  // of seconds; more are beyond the year 9999
  TimeCursor cursor(text);
  cursor.skip_blanks();
  const bool is_negative = cursor.take('-');
  std::size_t digits = 0;
  while (is_digit(cursor.peek(digits))) ++digits;
  if (digits == 0) return {};
  std::size_t whole = digits - std::min(digits, fraction_digits(form_));
  for (; whole > kMostDigits && cursor.take('0'); --whole) --digits;
  if (whole > kMostDigits) return {};
  std::int64_t seconds = 0;
  unsigned digit = 0;
  for (std::size_t i = 0; i < whole && cursor.take_digits(1, digit); ++i) seconds = seconds * 10 + digit;
  std::uint32_t nanoseconds = 0;
  std::uint32_t unit = kNanosecondsInSecond / 10;
  for (std::size_t i = digits - whole; i < fraction_digits(form_); ++i) unit /= 10;
  const auto take_fraction = [&] {
    for (; cursor.take_digits(1, digit); unit /= 10) nanoseconds += digit * unit;
  };
  take_fraction();
  if (cursor.peek() == '.' && is_digit(cursor.peek(1)) && cursor.take('.')) take_fraction();
  if (goes_on(cursor)) return {};
  if (is_negative) {
    seconds = -seconds - (nanoseconds > 0 ? 1 : 0);
    nanoseconds = nanoseconds > 0 ? kNanosecondsInSecond - nanoseconds : 0;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return {};
  return {{seconds, nanoseconds}, cursor.taken()};
}

}  // namespace sortie
