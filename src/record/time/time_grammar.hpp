// The one grammar of what stands behind a date or a time of day. Readers of times and zones ask whether a text has a
// shape, or take what has it.
//
//   9 A C W X ^   a digit, an ASCII letter, a capital, a letter or digit, a byte that is no ASCII, any byte
//   @             a letter or digit, or a byte of another script
//   ~             a plus or minus, which may be the one of typesetters
//   _   space  B  any number of blanks of the field; one or more of them; one or more, which may separate fields
//   S $ E         a separator of fields; nothing, but a bracket or quote ends here or the text does; its end
//   Q K           a bracket or quote that opens; one that closes
//   <name>        what kTimeRules has under that name
//   [...] (x|y)   one of these bytes; the first of these shapes that is there
//   ? * + {2} {1,3}  behind one of these: how often, and no less than there is
//   !x &x         nothing, but x does not follow; nothing, but it does
//
// Any other character is itself; small letters are capitals as well.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "record/time/text_shape.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {

struct TimeRule {
  std::string_view name;
  std::string_view shape;
};

inline constexpr auto kTimeRules = std::to_array<TimeRule>({
    // Numbers; none goes on here as that of no offset does: 12.5, 05'30', 12%.
    {"number end", "!(!S(%|[.,']9))"},
    {"year", "(1[9]99|2099|2100)!9"},
    {"hour", "([01]9|2[01234])"},
    {"minute", "[012345]9"},
    // Offsets: one with minutes; one that cannot be an amount; one that cannot be, but does not end as an offset.
    {"long offset", "~(9{4}!W<number end>|9{1,2}:99)"},
    {"clear offset", "(~9{1,2}:99|&([+]|~0|~9{4}$)~9{4}!W<number end>)"},
    {"cut offset", "~0(9:9!9|999A)"},
    // What stands in front of a time and between its parts.
    {"opening", "(&W|B?(QB?)*)"},
    {"mark", "!S(Q|K|[-,;|/_:@.=])"},
    // Words. What ends a key or a bracket ends one, but an apostrophe does not.
    {"day period", "(a|p)(.[ ]?m.?|m)"},
    {"word end", "(&$!('A)|!$_[\r]?E)"},
    {"kind of time",
     "(standard|daylight|summer|winter|mean|universal|european|eastern|central|mountain|pacific|atlantic|moscow)"
     "[ ]time!W"},
    {"region",
     "(africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|europe|indian|mexico|pacific"
     "|[E][t][c]|[U][S])/"},
    {"zone label", "(timezone|time[ ]zone|time[_]zone|tz)!W_[=:]<opening>"},
    // Times of day that no form has behind a date, but which must be meant as such: 013:55, 13h55, 13 Uhr, 1355Z.
    {"time of day",
     "&9(09{2,5}!9([:hH]99|.99.99)|!(&<year>9999<minute and second>)"
     "(9{3,6}!9<minute and second>|[012]999!9[:hH]99)"
     "|9{1,2}!9(<hour mark>|%3a99|[:h]99|_<day period>!W)"
     "|9{1,2}!9(.99)?_uhr!W!-|[012]999!9_hrs!W!-"
     "|([012]9!9(.99)?|[012]999!9|[012]9{5}!9)(_(utc|gmt|ut)|z)!W!-)"},
    {"minute and second", "(:99:99|[h]99[h]99|[H]99[H]99)"},
    // As Chinese, Japanese and Korean have it.
    {"hour mark", "(\xE6\x99\x82|\xE6\x97\xB6|\xE7\x82\xB9|\xE9\xBB\x9E|\xEC\x8B\x9C)"},
    // Three numbers apart: 13 55 36, 13.55,36; digits alone: hhmmss, also with a fraction; these or hhmm.
    {"spread clock", "<hour>( |!Q<mark>)<minute>( |!Q<mark>)(<minute>|60)!W"},
    {"long bare clock", "<hour><minute>(<minute>|60)(9{6}|9{3})?!9"},
    {"bare clock", "(<hour><minute>!9|<long bare clock>)!W"},
});

constexpr std::size_t index_of_time_rule(std::string_view name) {
  std::size_t index = 0;
  while (kTimeRules[index].name != name) ++index;
  return index;
}

template <std::size_t kRule>
struct TimeRuleShape {
  static constexpr std::string_view kText = kTimeRules[kRule].shape;
};

template <std::size_t kRule>
bool take_time_rule(TimeCursor& cursor) {
  return ShapeReader<TimeRuleShape<kRule>, 0, kTimeRules[kRule].shape.size()>::take_alternatives(cursor);
}

template <char kLetter>
bool take_time_letter(TimeCursor& cursor) {
  const char next = cursor.peek();
  const auto takes_any = [&](auto skip) {
    const std::size_t begin = cursor.taken();
    skip();
    return cursor.taken() > begin;
  };
  if constexpr (kLetter == '9') return take_byte(cursor, is_digit(next));
  if constexpr (kLetter == 'A') return take_byte(cursor, TimeCursor::is_letter(next));
  if constexpr (kLetter == 'C') return take_byte(cursor, next >= 'A' && next <= 'Z');
  if constexpr (kLetter == 'W') return take_byte(cursor, cursor.goes_on());
  if constexpr (kLetter == 'X') return take_byte(cursor, (next & 0x80) != 0);
  if constexpr (kLetter == '@') {
    return take_byte(cursor, cursor.goes_on() || ((next & 0x80) != 0 && !cursor.is_at_blank()));
  }
  if constexpr (kLetter == '^') return take_byte(cursor, true);
  if constexpr (kLetter == '~') return takes_any([&] { cursor.skip(cursor.sign_size()); });
  if constexpr (kLetter == '_') return cursor.skip_blanks_in_field(), true;
  if constexpr (kLetter == ' ') return takes_any([&] { cursor.skip_blanks_in_field(); });
  if constexpr (kLetter == 'B') return takes_any([&] { cursor.skip_blanks(); });
  if constexpr (kLetter == 'S') return cursor.take_separator();
  if constexpr (kLetter == '$') return cursor.is_at_closing();
  if constexpr (kLetter == 'E') return cursor.is_at_end();
  if constexpr (kLetter == 'Q') return take_byte(cursor, cursor.is_at_opening());
  if constexpr (kLetter == 'K') return take_byte(cursor, cursor.is_at_closing());
  return take_byte(cursor, kLetter >= 'a' && kLetter <= 'z' ? (next | 0x20) == kLetter : next == kLetter);
}

template <ShapeText kShape>
struct TimeShape {
  static constexpr std::string_view kText = kShape.view();
};

/// Takes the text of that shape which comes next; nothing if there is none.
template <ShapeText kShape>
bool take_shape(TimeCursor& cursor) {
  return ShapeReader<TimeShape<kShape>, 0, kShape.view().size()>::take_alternatives(cursor);
}

/// Whether a text of that shape comes next.
template <ShapeText kShape>
bool is_at_shape(TimeCursor cursor) {
  return take_shape<kShape>(cursor);
}

/// Takes a text of that shape. Its numbers of one digit or two become the values, of which the last may be missing.
/// Returns how many there are; 0: there is no such text.
template <ShapeText kShape, typename... Values>
unsigned take_numbers(TimeCursor& cursor, Values&... values) {
  TimeCursor number = cursor;
  if (!take_shape<kShape>(cursor)) return 0;
  const std::size_t end = cursor.taken();
  const auto take_value = [&](unsigned& value) {
    while (number.taken() < end && !is_digit(number.peek())) number.skip();
    return number.taken() < end && number.take_number(2, value);
  };
  unsigned count = 0;
  static_cast<void>(((take_value(values) && ++count > 0) && ...));
  return count;
}

/// Takes the English name of a month, or its first three letters, in either case, and a point behind these.
bool take_month(TimeCursor& cursor, unsigned& month);

/// The same for a day of the week.
bool take_weekday(TimeCursor& cursor);

/// Takes AM or PM, or a.m. or p.m., in either case.
bool take_day_period(TimeCursor& cursor, bool& is_afternoon);

/// Takes what may stand between a date and a time of day: blanks, and among them one comma or separator of fields, or
/// "at", between brackets and quotes that end and begin.
bool take_gap(TimeCursor& cursor);

}  // namespace sortie
