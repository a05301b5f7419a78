#include "record/time/time_rest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "record/time/likely_time_of_day.hpp"
#include "record/time/loose_zone.hpp"
#include "record/time/narrow_text.hpp"
#include "record/time/time_zones.hpp"
#include "record/time/zone_name.hpp"
#include "record/time/zone_offset.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

/// How many marks and blanks may stand in front of another part of a time.
constexpr int kMostMarks = 6;

/// Whether a letter that is no ASCII begins here. Marks are none: those of Latin-1, and of other blocks.
bool is_at_other_letter(const TimeCursor& cursor) {
  const auto byte = static_cast<unsigned char>(cursor.peek());
  if (byte < 0xC3 || byte > 0xED || byte == 0xE2) return false;
  return byte != 0xE3 || static_cast<unsigned char>(cursor.peek(1)) != 0x80;
}

/// Takes a number or a word of up to 24 bytes, in any script.
bool take_short_word(TimeCursor& cursor) {
  int bytes = 0;
  for (; bytes <= 24 && (cursor.goes_on() || (cursor.peek() & 0x80) != 0) && !cursor.is_at_blank(); ++bytes) {
    cursor.skip();
  }
  return bytes > 0 && bytes <= 24;
}

/// Takes a dash, a quote or another mark that is no ASCII and has three bytes.
bool take_wide_mark(TimeCursor& cursor) {
  const bool is_mark = ((cursor.peek() == '\xE2' || cursor.peek() == '\xE3') && cursor.peek(1) == '\x80') ||
                       (cursor.peek() == '\xEF' && cursor.peek(1) == '\xBC');
  if (!is_mark) return false;
  for (int i = 0; i < 3; ++i) cursor.skip();
  return true;
}

/// Takes a name and a mark, as in "time=" and "t: ". Returns whether a time of day is what it names.
bool take_label(TimeCursor& cursor, bool& is_of_time_of_day) {
  TimeCursor name = cursor;
  const std::size_t letters = name.letters_ahead();
  if (letters == 0 || letters > 24) return false;
  is_of_time_of_day = (letters == 4 && name.take_word("time")) || (letters == 2 && name.take_word("at")) ||
                      (letters == 1 && name.take_word("t"));
  if (!is_of_time_of_day) take_short_word(name);
  while (name.is_at_opening() || name.is_at_closing()) {
    if (name.is_at_end()) return false;
    name.skip();
  }
  if (!name.take('=') && !name.take(':')) return false;
  name.skip_opening();
  cursor = name;
  return true;
}

/// Whether a time of day in any form comes next, also behind T, "time=", or "at".
bool is_at_any_time_of_day(TimeCursor cursor, BareDigits bare) {
  if (is_at_time_of_day(cursor) || is_at_spread_time_of_day(cursor) || is_at_bare_time_of_day(cursor, bare))
    return true;
  if ((cursor.peek() | 0x20) == 't' && is_digit(cursor.peek(1))) {
    cursor.skip();
    return is_at_time_of_day(cursor) || is_at_spread_time_of_day(cursor) ||
           is_at_bare_time_of_day(cursor, BareDigits::kFour);
  }
  bool is_of_time_of_day = false;
  if (!take_label(cursor, is_of_time_of_day)) return false;
  if (is_of_time_of_day && (is_at_spread_time_of_day(cursor) || is_at_bare_time_of_day(cursor, BareDigits::kFour)))
    return true;
  cursor.take('T');
  return is_at_time_of_day(cursor);
}

/// Whether a time of day follows, also behind one short word: "um 13:55".
bool is_at_time_of_day_behind_word(TimeCursor cursor) {
  if (is_at_time_of_day(cursor)) return true;
  const bool is_other = is_at_other_letter(cursor);
  if (is_other) {
    while ((cursor.peek() & 0x80) != 0 && !cursor.is_at_blank()) cursor.skip();
    if (is_at_time_of_day(cursor)) return true;
  }
  if (!is_other && !take_short_word(cursor)) return false;
  if (!cursor.take('.')) cursor.take(',');
  if (!cursor.is_at_blank()) return false;
  cursor.skip_blanks();
  return is_at_time_of_day(cursor);
}

bool is_at_year(const TimeCursor& cursor, bool must_end) {
  TimeCursor behind = cursor;
  unsigned year = 0;
  if (cursor.digits_ahead() != 4 || !behind.take_digits(4, year) || !may_be_year(year)) return false;
  return !must_end || behind.is_at_closing();
}

/// AM and PM in languages that have other letters.
bool is_at_other_day_period(const TimeCursor& cursor) {
  constexpr auto kDayPeriods = std::to_array<std::string_view>(
      {"午前", "午後", "上午", "下午", "오전", "오후", "π.μ", "μ.μ", "πμ", "μμ", "ص", "م"});
  if ((cursor.peek() & 0x80) == 0) return false;
  return std::ranges::any_of(kDayPeriods, [&](std::string_view period) {
    TimeCursor behind = cursor;
    return std::ranges::all_of(period, [&](char byte) { return behind.take(byte); });
  });
}

bool is_at_day_period(TimeCursor cursor) {
  bool is_afternoon = false;
  return cursor.take_day_period(is_afternoon) && !cursor.goes_on() && (cursor.peek() & 0x80) == 0;
}

/// Whether an offset or the name of a zone comes next. Names are made of capitals.
bool is_at_zone(TimeCursor cursor) {
  if (bool is_certain = false; take_zone_label(cursor, is_certain) && is_certain) return true;
  if (is_clear_offset(cursor) || is_like_cut_offset(cursor)) return true;
  if (!TimeCursor::is_letter(cursor.peek()) || (cursor.peek() & 0x20) != 0) return false;
  const std::size_t letters = cursor.letters_ahead();
  if (letters < 2 || letters > 10) return false;
  const std::string_view word = cursor.ahead(letters);
  if (cursor.peek(letters) == '/') return begins_like_database_zone(cursor.ahead(letters + 1));
  if (is_digit(cursor.peek(letters)) || cursor.peek(letters) == '_') return false;
  if (!std::ranges::all_of(word, [](char letter) { return (letter & 0x20) == 0; })) return false;
  CivilTime other;
  return is_zone_word(word) || is_name_of_utc(word) || (cursor.zones() != nullptr && cursor.zones()->find(word, other));
}

/// Whether digits are joined to a time of day as those of a fraction are.
bool is_at_rest_of_fraction(const TimeCursor& cursor) {
  return cursor.is_at_one_of(";/_|',") && !cursor.is_at_separator() && is_digit(cursor.peek(1));
}

/// Whether a blank and a word or number follow: the reader of zones has looked at it already.
bool is_at_plain_text(const TimeCursor& cursor) {
  return cursor.peek() == ' ' && (is_digit(cursor.peek(1)) || TimeCursor::is_letter(cursor.peek(1)));
}

/// Whether a span ends here, as in 09:00:00-10:30:00 with a long dash.
bool is_end_of_span(const TimeCursor& cursor, const CivilTime& time) {
  return cursor.peek() == '-' && (!time.has_seconds || cursor.peek(6) == ':');
}

/// The same for what is not written in ASCII: digits that go on, a zone, AM or PM.
bool is_cut_off_by_wide_text(TimeCursor cursor, CivilTime& time) {
  if (!has_wide_text_ahead(cursor)) return false;
  const std::size_t begin = cursor.taken();
  cursor.skip_blanks_in_field();
  const NarrowText narrow(cursor);
  if (!narrow.has_new_begin()) return false;
  TimeCursor rest(narrow.text(), {}, cursor.zones());
  if (cursor.taken() == begin && (rest.goes_on() || (rest.is_at_one_of(":.,") && is_digit(rest.peek(1))))) return true;
  rest.skip_blanks();
  if (!time.has_day_period && is_at_day_period(rest)) return true;
  if (!is_at_zone(rest) || is_end_of_span(rest, time)) return false;
  time.zone = CivilTime::Zone::kUnknown;
  return true;
}

bool is_cut_off_behind_time_of_day(TimeCursor cursor, CivilTime& time) {
  if (is_at_plain_text(cursor)) return false;
  if (is_cut_off_by_wide_text(cursor, time)) return true;
  if (is_at_rest_of_fraction(cursor) || is_at_other_letter(cursor)) return true;
  bool has_mark = false;
  for (int marks = 0; marks < kMostMarks && !cursor.is_at_end() && !cursor.is_at_separator(); ++marks) {
    if (!time.has_day_period && (is_at_other_day_period(cursor) || (has_mark && is_at_day_period(cursor)))) return true;
    if (has_mark && is_at_zone(cursor)) {
      time.zone = CivilTime::Zone::kUnknown;
      return true;
    }
    if (has_mark && !time.year && is_at_year(cursor, true)) return true;
    if (cursor.is_at_blank()) {
      cursor.skip_blanks_in_field();
    } else if (cursor.take_mark() || take_wide_mark(cursor)) {
      has_mark = true;
    } else {
      break;
    }
  }
  return false;
}

/// Takes a mark between a date and what follows, which is no blank.
bool take_mark_behind_date(TimeCursor& cursor) {
  return cursor.take_mark() || take_wide_mark(cursor) || cursor.take('+') || cursor.take_escaped("20") ||
         cursor.take_escaped("2C") || cursor.take_escaped("09");
}

bool is_cut_off_behind_date(TimeCursor cursor, const CivilTime& time) {
  BareDigits bare = BareDigits::kEnding;
  for (int marks = 0; marks < kMostMarks && !cursor.is_at_end(); ++marks) {
    if (marks > 0 && (is_at_time_of_day_behind_word(cursor) || (!time.year && is_at_year(cursor, false)))) return true;
    if (marks > 0 && is_at_any_time_of_day(cursor, bare)) return true;
    if (cursor.is_at_blank()) {
      cursor.skip_blanks();
    } else if (take_mark_behind_date(cursor)) {
      bare = time.has_bare_date ? BareDigits::kFour : BareDigits::kSix;
    } else if (!cursor.take_field_gap()) {
      return marks == 0 && is_at_other_letter(cursor) && is_at_time_of_day_behind_word(cursor);
    }
  }
  return false;
}

}  // namespace

bool is_cut_off(const TimeCursor& cursor, CivilTime& time) {
  if (cursor.is_at_end()) return false;
  if (!time.has_time_of_day) {
    if (is_cut_off_behind_date(cursor, time)) return true;
    if (!has_wide_text_ahead(cursor)) return false;
    const NarrowText narrow(cursor);
    return narrow.has_changed() && is_cut_off_behind_date(TimeCursor(narrow.text()), time);
  }
  return time.zone == CivilTime::Zone::kNone && is_cut_off_behind_time_of_day(cursor, time);
}

}  // namespace sortie
