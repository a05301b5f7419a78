#include "record/time/zone_offset.hpp"

#include <cstddef>

namespace sortie {
namespace {

/// The sign of an offset, which may be the one of typesetters. 0: there is none.
struct OffsetSign {
  explicit OffsetSign(const TimeCursor& cursor) {
    const bool is_wide = cursor.peek() == '\xE2' && cursor.peek(1) == '\x88' && cursor.peek(2) == '\x92';
    is_west = is_wide || cursor.peek() == '-';
    if (is_wide) bytes = 3;
    if (cursor.peek() == '-' || cursor.peek() == '+') bytes = 1;
    if (!is_digit(cursor.peek(bytes))) bytes = 0;
  }
  std::size_t bytes = 0;
  bool is_west = false;
};

/// Whether a number goes on here as none of an offset does: 12.5, 05'30', 12%.
bool goes_on_as_number(const TimeCursor& cursor) {
  if (cursor.is_at_separator()) return false;
  return cursor.peek() == '%' || (cursor.is_at_one_of(".,'") && is_digit(cursor.peek(1)));
}

}  // namespace

bool is_at_offset(const TimeCursor& cursor) { return OffsetSign(cursor).bytes > 0; }

bool take_offset(TimeCursor& cursor, CivilTime& time, OffsetHours form) {
  TimeCursor zone = cursor;
  const OffsetSign sign(zone);
  if (sign.bytes == 0) return false;
  for (std::size_t i = 0; i < sign.bytes; ++i) zone.skip();
  unsigned hours = 0;
  unsigned minutes = 0;
  unsigned seconds = 0;
  const std::size_t digits = zone.digits_ahead();
  if (digits != 2 && digits != 4 && (digits != 1 || form == OffsetHours::kTwoDigits)) return false;
  if (!zone.take_number(2, hours)) return false;
  if (digits == 4 && !zone.take_digits(2, minutes)) return false;
  const bool has_colon = digits < 4 && zone.peek() == ':' && is_digit(zone.peek(1));
  if (has_colon) {
    zone.take(':');
    if (!zone.take_digits(2, minutes)) return false;
    if (zone.peek() == ':' && is_digit(zone.peek(1))) {
      zone.take(':');
      if (!zone.take_digits(2, seconds)) return false;
    }
  }
  if (hours > 23 || minutes > 59 || seconds > 59 || is_digit(zone.peek())) return false;
  if (has_colon ? zone.peek() == '.' && is_digit(zone.peek(1)) : goes_on_as_number(zone)) return false;
  const auto whole = static_cast<std::int32_t>(hours * 3600 + minutes * 60 + seconds);
  time.set_zone(sign.is_west ? -whole : whole);
  cursor = zone;
  return true;
}

bool is_like_long_offset(TimeCursor cursor) {
  const OffsetSign sign(cursor);
  if (sign.bytes == 0) return false;
  for (std::size_t i = 0; i < sign.bytes; ++i) cursor.skip();
  const std::size_t digits = cursor.digits_ahead();
  if (digits == 4) {
    for (std::size_t i = 0; i < digits; ++i) cursor.skip();
    return !TimeCursor::is_letter(cursor.peek()) && !goes_on_as_number(cursor);
  }
  return digits <= 2 && cursor.peek(digits) == ':' && is_digit(cursor.peek(digits + 1)) &&
         is_digit(cursor.peek(digits + 2));
}

bool is_like_cut_offset(TimeCursor cursor) {
  const OffsetSign sign(cursor);
  if (sign.bytes == 0 || is_like_long_offset(cursor) || cursor.peek(sign.bytes) != '0') return false;
  for (std::size_t i = 0; i < sign.bytes; ++i) cursor.skip();
  const std::size_t digits = cursor.digits_ahead();
  if (digits == 2) return cursor.peek(2) == ':' && is_digit(cursor.peek(3));
  return digits == 4 && TimeCursor::is_letter(cursor.peek(4));
}

bool is_like_offset_in_points(TimeCursor cursor) {
  const OffsetSign sign(cursor);
  if (sign.bytes == 0 || cursor.peek(sign.bytes) != '0') return false;
  for (std::size_t i = 0; i < sign.bytes; ++i) cursor.skip();
  const char mark = cursor.peek(2);
  return cursor.digits_ahead() == 2 && (mark == '.' || mark == '\'') && is_digit(cursor.peek(3)) &&
         is_digit(cursor.peek(4)) && !is_digit(cursor.peek(5));
}

bool is_clear_offset(TimeCursor cursor) {
  if (!is_like_long_offset(cursor)) return false;
  const OffsetSign sign(cursor);
  const bool has_plus = cursor.peek() == '+';
  for (std::size_t i = 0; i < sign.bytes; ++i) cursor.skip();
  const std::size_t digits = cursor.digits_ahead();
  if (digits != 4 || has_plus || cursor.peek() == '0') return true;
  for (std::size_t i = 0; i < digits; ++i) cursor.skip();
  return cursor.is_at_closing();
}

}  // namespace sortie
