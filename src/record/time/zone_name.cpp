#include "record/time/time_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "record/time/time_grammar.hpp"
#include "record/time/time_zones.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

// CST, say, is a zone of China, too, but mail and date(1) take these.
struct MailZone {
  std::string_view name;
  std::int32_t hours;  // east of UTC
};
constexpr auto kMailZones = std::to_array<MailZone>(
    {{"EST", -5}, {"EDT", -4}, {"CST", -6}, {"CDT", -5}, {"MST", -7}, {"MDT", -6}, {"PST", -8}, {"PDT", -7}});

/// The hours and minutes of an offset with blanks behind its sign, or without a sign.
struct OffsetParts {
  unsigned hours = 0;
  unsigned minutes = 0;
  bool has_minutes = false;

  bool may_be_zone() const { return hours <= 14 && minutes <= 45 && minutes % 15 == 0; }
};

/// Takes hh:mm, hhmm, hh or h, behind which no other number goes on.
bool take_parts(TimeCursor& cursor, OffsetParts& parts) {
  const unsigned numbers = take_numbers<"(9{4}|9{1,2}(:99|!(:9)))!W!%!([:.,']9)">(cursor, parts.hours, parts.minutes);
  parts.has_minutes = numbers == 2;
  return numbers > 0 && parts.may_be_zone();
}

/// Takes the same behind a sign and blanks, but no time of day with AM or PM.
bool take_loose_parts(TimeCursor& cursor, OffsetParts& parts, bool& is_west) {
  is_west = cursor.peek() != '+';
  return take_shape<"~ ">(cursor) && take_parts(cursor, parts) && !is_at_shape<"_<day period>!W">(cursor);
}

void set_zone(CivilTime& time, const OffsetParts& parts, bool is_west) {
  const auto seconds = static_cast<std::int32_t>(parts.hours * 3600 + parts.minutes * 60);
  time.set_zone(is_west ? -seconds : seconds);
}

/// Whether an offset behind UTC comes next in words, or as a bare number that ends the text.
bool is_at_worded_offset(TimeCursor cursor) {
  if (is_at_shape<"(plus|minus|offset)!W[:=]?_[-+]?9">(cursor)) return true;
  OffsetParts parts;
  return !is_at_shape<"!09999!9">(cursor) && take_parts(cursor, parts) && is_at_shape<"($|S)">(cursor);
}

/// Whether what comes next is a sign and one digit or two, as in UTC +2, and no other number.
bool is_at_short_offset(TimeCursor cursor) {
  CivilTime other;
  return take_offset(cursor, other, OffsetHours::kMayHaveOneDigit) && !cursor.goes_on();
}

/// Takes an offset behind UTC, a sign and blanks: "UTC + 2".
ZoneTaken take_loose_offset_from_utc(TimeCursor& cursor, CivilTime& time) {
  OffsetParts parts;
  bool is_west = false;
  if (!take_loose_parts(cursor, parts, is_west)) return ZoneTaken::kNone;
  if (!is_at_shape<"($|S)">(cursor)) return parts.has_minutes || !is_west ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  set_zone(time, parts, is_west);
  return ZoneTaken::kZone;
}

/// Takes what may follow UTC: an offset, also behind blanks if it has minutes.
ZoneTaken take_offset_from_utc(TimeCursor& cursor, CivilTime& time) {
  time.set_zone(0);
  if (cursor.is_at_offset()) {
    return take_offset(cursor, time, OffsetHours::kMayHaveOneDigit) ? ZoneTaken::kZone : ZoneTaken::kUnknown;
  }
  TimeCursor offset = cursor;
  offset.skip_blanks_in_field();
  ZoneTaken taken = ZoneTaken::kUnknown;
  if (is_at_shape<"<long offset>">(offset)) {
    if (take_offset(offset, time)) taken = ZoneTaken::kZone;
  } else if (!is_at_short_offset(offset) && !is_at_worded_offset(offset)) {
    taken = take_loose_offset_from_utc(offset, time);
  }
  if (taken == ZoneTaken::kZone) cursor = offset;
  return taken == ZoneTaken::kUnknown ? taken : ZoneTaken::kZone;
}

/// Whether a word may be a zone by its last letter: most words of logs are none. One that ends the text is looked at.
bool may_be_zone(const TimeCursor& cursor, std::size_t letters) {
  const char behind = cursor.peek(letters);
  const bool goes_on =
      behind == ' ' ? cursor.peek(letters + 1) != '\0' : behind == ':' && cursor.peek(letters + 2) != '%';
  if (!goes_on) return true;
  const auto last = static_cast<char>(cursor.peek(letters - 1) & ~0x20);
  if (last == 'E') return (cursor.peek() | 0x20) == 'h';  // HAE, HNE
  return kLastZoneLetters.find(last) != kLastZoneLetters.npos;
}

/// Takes so many bytes that are the zone which times without one are in.
bool take_own_zone(TimeCursor& cursor, CivilTime& time, std::size_t bytes) {
  if (cursor.zones() == nullptr || !cursor.zones()->is_own_zone(cursor.ahead(bytes))) return false;
  cursor.skip(bytes);
  time.zone = CivilTime::Zone::kNone;
  return true;
}

/// Takes a name such as Europe/Berlin.
ZoneTaken take_database_zone(TimeCursor& cursor, CivilTime& time) {
  TimeCursor behind = cursor;
  take_shape<"(W|[/_+-])*">(behind);
  return take_own_zone(cursor, time, behind.taken() - cursor.taken()) ? ZoneTaken::kZone : ZoneTaken::kUnknown;
}

/// Whether a word with a digit or an underscore behind it is a zone: UTC_1, CET2, Z02:00.
bool is_zone_with_digits(const UpperWord& word, const TimeCursor& behind) {
  if (!word.has_capitals_only || word.size == 2) return false;
  return is_zone_word(word.text()) || (is_name_of_utc(word.text()) && (word.size > 1 || is_at_bare_offset(behind)));
}

}  // namespace

ZoneTaken take_zone(TimeCursor& cursor, CivilTime& time) {
  if (TimeCursor::is_letter(cursor.peek())) return take_zone_name(cursor, time);
  if (!cursor.is_at_offset()) return ZoneTaken::kNone;
  return take_offset(cursor, time) ? ZoneTaken::kZone : ZoneTaken::kUnknown;
}

ZoneTaken take_zone_name(TimeCursor& cursor, CivilTime& time) {
  const std::size_t letters = cursor.letters_ahead();
  if (cursor.zones() == nullptr && !may_be_zone(cursor, letters)) return ZoneTaken::kNone;
  const std::string_view text = cursor.ahead(letters);
  if (cursor.peek(letters) == '/' && is_at_shape<"<region>">(cursor)) {
    return take_database_zone(cursor, time);
  }
  const UpperWord word(text);
  TimeCursor behind = cursor;
  behind.skip(letters);
  const char next = behind.peek();
  if (next >= '\xC3' && next <= '\xDF') return ZoneTaken::kNone;  // a letter, as in Zürich
  if (is_digit(next) || next == '_') {
    const bool is_zone = is_zone_with_digits(word, behind) || is_meant_as_zone(cursor, time);
    return is_zone ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  ZoneTaken taken = ZoneTaken::kZone;
  if (is_name_of_utc(text)) {
    if (letters == 1 && behind.is_at_offset()) return ZoneTaken::kUnknown;
    taken = letters == 1 ? (time.set_zone(0), ZoneTaken::kZone) : take_offset_from_utc(behind, time);
  } else if (word.text() == "EST" && !word.has_capitals_only) {
    return ZoneTaken::kNone;  // a word in some languages
  } else if (cursor.zones() == nullptr || !cursor.zones()->find(text, time)) {
    const auto* const mail = std::ranges::find(kMailZones, word.text(), &MailZone::name);
    if (mail == kMailZones.end()) {
      if (take_own_zone(cursor, time, letters)) return ZoneTaken::kZone;
      return is_meant_as_zone(cursor, time) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
    }
    time.set_zone(mail->hours * 3600);
  }
  // Another offset, or the rest of a name that is spelled out, cannot be of the same zone.
  if (taken == ZoneTaken::kZone &&
      (is_at_shape<"_<clear offset>">(behind) || (letters > 1 && is_at_shape<"(~9|[ ]<kind of time>)">(behind)))) {
    return ZoneTaken::kUnknown;
  }
  if (taken == ZoneTaken::kZone) cursor = behind;
  return taken;
}

bool take_offset(TimeCursor& cursor, CivilTime& time, OffsetHours form) {
  if (form == OffsetHours::kTwoDigits && !is_at_shape<"~99">(cursor)) return false;
  TimeCursor zone = cursor;
  unsigned hours = 0;
  unsigned minutes = 0;
  unsigned seconds = 0;
  constexpr ShapeText kOffset = "~(9{4}!9<number end>|9{1,2}!9(:99(:99|!(:9))!9!(.9)|!(:9)<number end>))";
  if (take_numbers<kOffset>(zone, hours, minutes, seconds) == 0) return false;
  if (hours > 23 || minutes > 59 || seconds > 59) return false;
  const auto whole = static_cast<std::int32_t>(hours * 3600 + minutes * 60 + seconds);
  time.set_zone(cursor.peek() == '+' ? whole : -whole);
  cursor = zone;
  return true;
}

// Behind a minus it may be the end of a span: 09:00 - 10:30, 22:00 - 06:00.
ZoneTaken take_loose_offset(TimeCursor& cursor, CivilTime& time) {
  OffsetParts parts;
  bool is_west = false;
  if (!is_at_shape<"~ 99:">(cursor) || !take_loose_parts(cursor, parts, is_west) || !parts.has_minutes) {
    return ZoneTaken::kNone;
  }
  const bool is_span = is_west && !time.has_seconds;
  if (is_span && parts.hours * 60 + parts.minutes > time.hour * 60 + time.minute) return ZoneTaken::kNone;
  if (is_span || !is_at_shape<"($|S)">(cursor)) return ZoneTaken::kUnknown;
  set_zone(time, parts, is_west);
  return ZoneTaken::kZone;
}

bool take_fixed_zone(TimeCursor& cursor, CivilTime& time) {
  if (take_offset(cursor, time, OffsetHours::kMayHaveOneDigit)) return true;
  const std::size_t letters = cursor.letters_ahead();
  if (!is_name_of_utc(cursor.ahead(letters))) return false;
  cursor.skip(letters);
  return take_offset_from_utc(cursor, time) == ZoneTaken::kZone;
}

bool is_name_of_utc(std::string_view word) {
  if (word.size() > 3) return false;
  const UpperWord capitals(word);
  const std::string_view text = capitals.text();
  return text == "UTC" || text == "GMT" || text == "UT" || text == "Z";
}

}  // namespace sortie
