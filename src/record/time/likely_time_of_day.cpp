#include "record/time/likely_time_of_day.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include "record/time/narrow_text.hpp"
#include "record/time/time_rest.hpp"
#include "record/time/zone_name.hpp"

namespace sortie {
namespace {

/// Whether hours of too many digits come next, but minutes and seconds behind them, or a zero in front: 013:55.
bool is_at_time_of_day_with_zeros(TimeCursor cursor) {
  const std::size_t digits = cursor.digits_ahead();
  if (digits < 3 || digits > 6) return false;
  const bool has_zero = cursor.peek() == '0';
  const bool has_hour_and_minute = digits == 4 && cursor.peek() <= '2';  // but 8080:80
  unsigned number = 0;
  const bool is_year = TimeCursor(cursor).take_digits(4, number) && digits == 4 && may_be_year(number);
  for (std::size_t i = 0; i < digits; ++i) cursor.skip();
  const char mark = cursor.peek();
  if (!cursor.is_at_one_of(":.hH") || !is_digit(cursor.peek(1)) || !is_digit(cursor.peek(2))) return false;
  const bool has_seconds = cursor.peek(3) == mark && is_digit(cursor.peek(4)) && is_digit(cursor.peek(5));
  if (mark == '.') return has_zero && has_seconds;
  return has_zero || (has_seconds ? !is_year : has_hour_and_minute);
}

/// Whether a number is a time of day by the word behind it: 1355Z, 13 UTC, 1355 hrs, 13.55 Uhr.
bool is_at_named_time_of_day(TimeCursor cursor) {
  const std::size_t digits = cursor.digits_ahead();
  if (digits == 0 || digits > 6 || digits == 3 || digits == 5) return false;
  const bool may_be_hour = digits > 1 && cursor.peek() <= '2';
  for (std::size_t i = 0; i < digits; ++i) cursor.skip();
  if (is_at_wide_hour_mark(cursor)) return digits < 3;
  if (digits < 3 && cursor.peek() == '.' && is_digit(cursor.peek(1)) && is_digit(cursor.peek(2))) {
    for (int i = 0; i < 3; ++i) cursor.skip();
  }
  const std::size_t begin = cursor.taken();
  cursor.skip_blanks_in_field();
  const std::size_t letters = cursor.letters_ahead();
  const std::string_view word = cursor.ahead(letters);
  if (letters == 0 || letters > 3 || is_digit(cursor.peek(letters)) || cursor.peek(letters) == '-') return false;
  if (is_name_of_utc(word)) return may_be_hour && (letters > 1 || cursor.taken() == begin);
  return (digits < 3 && cursor.take_word("uhr")) || (digits == 4 && may_be_hour && cursor.take_word("hrs"));
}

}  // namespace

bool is_at_time_of_day(TimeCursor cursor) {
  const std::size_t digits = cursor.digits_ahead();
  if (digits > 2 || digits == 0) return is_at_time_of_day_with_zeros(cursor) || is_at_named_time_of_day(cursor);
  if (is_at_named_time_of_day(cursor)) return true;
  for (std::size_t i = 0; i < digits; ++i) cursor.skip();
  if (cursor.take_escaped("3A")) return is_digit(cursor.peek()) && is_digit(cursor.peek(1));
  if (cursor.is_at_one_of(":h") && is_digit(cursor.peek(1)) && is_digit(cursor.peek(2))) return true;
  bool is_afternoon = false;
  cursor.skip_blanks_in_field();
  return cursor.take_day_period(is_afternoon) && !cursor.goes_on();
}

bool is_at_spread_time_of_day(TimeCursor cursor) {
  constexpr auto kLimits = std::to_array<unsigned>({24, 59, 60});
  for (const unsigned limit : kLimits) {
    if (limit != kLimits[0]) {
      const std::size_t begin = cursor.taken();
      cursor.skip_blanks_in_field();
      if (cursor.taken() == begin && (cursor.is_at_opening() || !cursor.take_mark())) return false;
    }
    unsigned part = 0;
    if (cursor.digits_ahead() != 2 || !cursor.take_digits(2, part) || part > limit) return false;
  }
  return !cursor.goes_on();
}

bool is_at_bare_time_of_day(TimeCursor cursor, BareDigits form) {
  const std::size_t digits = cursor.digits_ahead();
  const bool may_be_one = digits == 6 || digits == 9 || digits == 12 || (digits == 4 && form == BareDigits::kFour);
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  if (!may_be_one || !cursor.take_digits(2, hour) || !cursor.take_digits(2, minute)) return false;
  if (digits > 4 && !cursor.take_digits(2, second)) return false;
  if (hour > 24 || minute > 59 || second > 60) return false;
  while (is_digit(cursor.peek())) cursor.skip();
  return form == BareDigits::kEnding ? cursor.is_at_closing() : !cursor.goes_on();
}

}  // namespace sortie
