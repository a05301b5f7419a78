#include "record/time/time_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "record/time/time_grammar.hpp"
#include "record/time/time_zones.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

/// How many marks and blanks may stand in front of another part of a time.
constexpr int kMostMarks = 6;

/// Takes a character that has an ASCII form, in full width or of the digits of other scripts. NUL: it has none.
char take_narrow_form(TimeCursor& cursor) {
  const auto second = static_cast<unsigned char>(cursor.peek(1));
  const auto third = static_cast<unsigned char>(cursor.peek(2));
  const auto take = [&](std::size_t bytes, unsigned narrow) {
    cursor.skip(bytes);
    return static_cast<char>(narrow);
  };
  if (cursor.peek() == '\xEF' && second == 0xBC && third > 0x80) return take(3, '!' + (third - 0x81U));
  if (cursor.peek() == '\xEF' && second == 0xBD && third < 0x9F) return take(3, '`' + (third - 0x80U));
  if (cursor.peek() == '\xD9' && second >= 0xA0 && second <= 0xA9) return take(2, '0' + (second - 0xA0U));
  if (cursor.peek() == '\xDB' && second >= 0xB0 && second <= 0xB9) return take(2, '0' + (second - 0xB0U));
  if (take_shape<"(\xE2\x88\xB6|\xEA\x9E\x89|\xEF\xB8\xB0|\xEF\xB9\x95)">(cursor)) return ':';
  if (take_shape<"\xE2\x80[\x90\x91\x92\x93]">(cursor)) return '-';
  if (take_shape<"\xE3\x80\x80">(cursor)) return ' ';
  return '\0';
}

/// The text that comes next, up to some length, with the forms of other scripts in ASCII. Such times are not read, but
/// must not be dropped.
struct NarrowText {
  explicit NarrowText(TimeCursor cursor) {
    for (; size < bytes.size() && !cursor.is_at_end(); ++size) {
      const char narrow = (cursor.peek() & 0x80) != 0 ? take_narrow_form(cursor) : '\0';
      has_changed = has_changed || narrow != '\0';
      has_new_begin = has_new_begin || (size == 0 && narrow != '\0');
      bytes[size] = narrow == '\0' ? cursor.peek() : narrow;
      if (narrow == '\0') cursor.skip();
    }
  }
  std::string_view text() const { return {bytes.data(), size}; }

  std::array<char, 48> bytes{};
  std::size_t size = 0;
  bool has_changed = false;
  bool has_new_begin = false;
};

/// Whether a byte that is no ASCII is among the next few.
bool has_wide_text_ahead(const TimeCursor& cursor) {
  for (std::size_t i = 0; i < 16; ++i) {
    if ((cursor.peek(i) & 0x80) != 0) return true;
  }
  return false;
}

/// Whether a letter that is no ASCII begins here. Marks are none: those of Latin-1, and of other blocks.
bool is_at_other_letter(const TimeCursor& cursor) {
  const auto byte = static_cast<unsigned char>(cursor.peek());
  if (byte < 0xC3 || byte > 0xED || byte == 0xE2) return false;
  return byte != 0xE3 || static_cast<unsigned char>(cursor.peek(1)) != 0x80;
}

/// How bare digits must stand to be a time of day that was not read.
enum class BareDigits {
  kEnding,  ///< behind blanks: hhmmss that ends the text
  kSix,     ///< hhmmss, or with a fraction
  kFour,    ///< hhmm, too
};

/// Whether a time of day follows, also behind one short word: "um 13:55".
bool is_at_time_of_day_behind_word(const TimeCursor& cursor) {
  if (is_at_other_letter(cursor))
    return is_at_shape<"(<time of day>|(! X)*(<time of day>|[.,]?B<time of day>))">(cursor);
  return is_at_shape<"(<time of day>|@{1,24}!@[.,]?B<time of day>)">(cursor);
}

/// Whether a time of day in any form comes next, also behind T, "time=", "at", or another label.
bool is_at_any_time_of_day(const TimeCursor& cursor, BareDigits bare) {
  if (is_digit(cursor.peek())) {
    return is_at_shape<"(<time of day>|<spread clock>)">(cursor) ||
           (bare == BareDigits::kEnding ? is_at_shape<"<long bare clock>$">(cursor)
            : bare == BareDigits::kSix  ? is_at_shape<"<long bare clock>!W">(cursor)
                                        : is_at_shape<"<bare clock>">(cursor));
  }
  if (!TimeCursor::is_letter(cursor.peek())) return false;
  return is_at_shape<
      "(t(<time of day>|<spread clock>|<bare clock>)|(time|at|t)!A(K|Q)*[=:]<opening>(<spread clock>|<bare "
      "clock>|[T]?<time of day>)"
      "|!((time|at|t)!A)&(A{1,24}!A)@{1,25}(K|Q)*[=:]<opening>[T]?<time of day>)">(cursor);
}

/// AM and PM in languages that have other letters.
bool is_at_other_day_period(const TimeCursor& cursor) {
  return (cursor.peek() & 0x80) != 0 && is_at_shape<"(午前|午後|上午|下午|오전|오후|π.μ|μ.μ|πμ|μμ|ص|م)">(cursor);
}

/// Whether an offset or the name of a zone comes next. Names are made of capitals.
bool is_at_zone(TimeCursor cursor) {
  if (cursor.sign_size() > 0) return is_at_shape<"(<clear offset>|<cut offset>)">(cursor);
  if (cursor.is_at_one_of("tTzZ")) {
    if (is_at_shape<"<zone label>">(cursor)) return true;
    take_shape<"zone!W_[=:]<opening>">(cursor);
    if (cursor.sign_size() > 0) return is_at_shape<"(<clear offset>|<cut offset>)">(cursor);
  }
  const std::size_t letters = cursor.letters_ahead();
  if (letters < 2 || letters > 10 || !is_at_shape<"C">(cursor)) return false;
  const std::string_view word = cursor.ahead(letters);
  if (cursor.peek(letters) == '/') return is_at_shape<"<region>">(cursor);
  if (!is_at_shape<"C+!W![_]">(cursor)) return false;
  CivilTime other;
  return is_zone_word(word) || is_name_of_utc(word) || (cursor.zones() != nullptr && cursor.zones()->find(word, other));
}

/// Whether a span ends here, as in 09:00:00-10:30:00 with a long dash.
bool is_end_of_span(const TimeCursor& cursor, const CivilTime& time) {
  return cursor.peek() == '-' && (!time.has_seconds || cursor.peek(6) == ':');
}

/// Whether what is not written in ASCII goes on: digits, a zone, AM or PM.
bool is_cut_off_by_wide_text(TimeCursor cursor, CivilTime& time) {
  if (!has_wide_text_ahead(cursor)) return false;
  const std::size_t begin = cursor.taken();
  cursor.skip_blanks_in_field();
  const NarrowText narrow(cursor);
  if (!narrow.has_new_begin) return false;
  TimeCursor rest(narrow.text(), {}, cursor.zones());
  if (cursor.taken() == begin && is_at_shape<"(W|[:.,]9)">(rest)) return true;
  rest.skip_blanks();
  if (!time.has_day_period && is_at_shape<"<day period>!W!X">(rest)) return true;
  if (!is_at_zone(rest) || is_end_of_span(rest, time)) return false;
  time.zone = CivilTime::Zone::kUnknown;
  return true;
}

/// Takes a mark, which may be one of three bytes that is no ASCII: a dash, a quote.
bool take_any_mark(TimeCursor& cursor) { return take_shape<"(<mark>|([\xE2\xE3]\x80|\xEF\xBC)^?)">(cursor); }

bool is_cut_off_behind_time_of_day(TimeCursor cursor, CivilTime& time) {
  // The reader of zones has looked at a word or number behind a blank already.
  if (cursor.peek() == ' ' && (is_digit(cursor.peek(1)) || TimeCursor::is_letter(cursor.peek(1)))) return false;
  if (is_cut_off_by_wide_text(cursor, time)) return true;
  if (is_at_shape<"!S[;/_|',]9">(cursor) || is_at_other_letter(cursor)) return true;
  bool has_mark = false;
  for (int marks = 0; marks < kMostMarks && !cursor.is_at_end() && !cursor.is_at_separator(); ++marks) {
    if (!time.has_day_period &&
        (is_at_other_day_period(cursor) || (has_mark && is_at_shape<"<day period>!W!X">(cursor))))
      return true;
    if (has_mark && is_at_zone(cursor)) {
      time.zone = CivilTime::Zone::kUnknown;
      return true;
    }
    if (has_mark && !time.year && is_at_shape<"<year>$">(cursor)) return true;
    if (cursor.is_at_blank()) {
      cursor.skip_blanks_in_field();
    } else if (take_any_mark(cursor)) {
      has_mark = true;
    } else {
      break;
    }
  }
  return false;
}

bool is_cut_off_behind_date(TimeCursor cursor, const CivilTime& time) {
  BareDigits bare = BareDigits::kEnding;
  for (int marks = 0; marks < kMostMarks && !cursor.is_at_end(); ++marks) {
    if (marks > 0 && (is_at_time_of_day_behind_word(cursor) || (!time.year && is_at_shape<"<year>">(cursor))))
      return true;
    if (marks > 0 && is_at_any_time_of_day(cursor, bare)) return true;
    if (cursor.is_at_blank()) {
      cursor.skip_blanks();
    } else if (take_any_mark(cursor) || take_shape<"([+]|%(20|2c|0[9]))">(cursor)) {
      bare = time.has_bare_date ? BareDigits::kFour : BareDigits::kSix;
    } else if (!take_shape<"K*_S<opening>">(cursor)) {
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
    return narrow.has_changed && is_cut_off_behind_date(TimeCursor(narrow.text()), time);
  }
  return time.zone == CivilTime::Zone::kNone && is_cut_off_behind_time_of_day(cursor, time);
}

}  // namespace sortie
