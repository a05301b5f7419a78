#include "record/time/written_zone.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "record/time/loose_zone.hpp"
#include "record/time/spelled_zone.hpp"
#include "record/time/time_zones.hpp"
#include "record/time/zone_offset.hpp"
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

char upper(char letter) { return static_cast<char>(letter & ~0x20); }

/// A word in capitals; empty if it is longer than any name of a zone.
struct UpperWord {
  explicit UpperWord(std::string_view word) {
    if (word.size() > letters.size()) return;
    size = word.size();
    std::ranges::transform(word, letters.begin(), upper);
    has_capitals_only = std::equal(word.begin(), word.end(), letters.begin());
  }
  std::string_view text() const { return {letters.data(), size}; }

  std::array<char, 6> letters{};
  std::size_t size = 0;
  bool has_capitals_only = false;
};

/// Whether what comes next is a sign and one digit or two, as in UTC +2, and no other number.
bool is_short_offset(TimeCursor cursor) {
  CivilTime other;
  return take_offset(cursor, other, OffsetHours::kMayHaveOneDigit) && !cursor.goes_on();
}

/// Takes what may follow UTC: an offset, also behind blanks if it has minutes.
ZoneTaken take_offset_from_utc(TimeCursor& cursor, CivilTime& time) {
  time.set_zone(0);
  if (is_at_offset(cursor)) {
    return take_offset(cursor, time, OffsetHours::kMayHaveOneDigit) ? ZoneTaken::kZone : ZoneTaken::kUnknown;
  }
  TimeCursor offset = cursor;
  offset.skip_blanks_in_field();
  if (!is_like_long_offset(offset)) {
    if (is_short_offset(offset) || is_at_worded_offset(offset)) return ZoneTaken::kUnknown;
    const ZoneTaken loose = take_loose_offset(offset, time, LooseOffset::kBehindUtc);
    if (loose == ZoneTaken::kZone) cursor = offset;
    return loose == ZoneTaken::kUnknown ? loose : ZoneTaken::kZone;
  }
  if (!take_offset(offset, time, OffsetHours::kTwoDigits)) return ZoneTaken::kUnknown;
  cursor = offset;
  return ZoneTaken::kZone;
}

/// The letters that names of zones end with, as bits.
constexpr unsigned letters_as_bits(std::string_view letters) {
  unsigned bits = 0;
  for (const char letter : letters) bits |= 1U << (static_cast<unsigned char>(letter) & 31U);
  return bits;
}
constexpr unsigned kLastLetters = letters_as_bits("ABCDKTZ");

/// Whether a word may be a zone by its last letter: most words of logs are none. One that ends the text is looked at.
bool may_be_zone(const TimeCursor& cursor, std::size_t letters) {
  const char behind = cursor.peek(letters);
  if (behind != ' ' && behind != ':') return true;
  return ((kLastLetters >> (static_cast<unsigned char>(cursor.peek(letters - 1)) & 31U)) & 1U) != 0;
}

/// Takes a name such as Europe/Berlin.
ZoneTaken take_database_zone(TimeCursor& cursor, CivilTime& time) {
  std::string name;
  TimeCursor zone = cursor;
  for (char next = zone.peek(); zone.goes_on() || (next != '\0' && std::string_view("/_+-").find(next) != name.npos);
       next = zone.peek()) {
    name += next;
    zone.skip();
  }
  if (cursor.zones() == nullptr || !cursor.zones()->is_own_zone(name)) return ZoneTaken::kUnknown;
  time.zone = CivilTime::Zone::kNone;
  cursor = zone;
  return ZoneTaken::kZone;
}

bool is_one_of(std::string_view letters, char letter) { return letters.find(letter) != letters.npos; }

/// Whether a word that has no meaning as a zone is meant as one. The cursor is behind it.
ZoneTaken judge_word(const UpperWord& word, const TimeCursor& behind, const CivilTime& time) {
  const bool is_last = behind.is_at_closing();
  const bool is_american = word.size == 2 && word.letters[1] == 'T' && is_one_of("ECMP", word.letters[0]);
  if (is_american && word.has_capitals_only) {
    return time.has_half || (is_last && time.has_clock) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  const bool is_listed = is_zone_word(word.text());
  if (word.has_capitals_only) {
    const bool may_be_one = is_last && word.size >= 3 && word.size <= kLongestZoneWord && !is_word_of_logs(word.text());
    return is_listed || may_be_one ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  // In small letters short names are words of some language: ist, cet, eat.
  const bool is_word = word.size < 4 || word.text() == "WEST";
  return is_listed && (is_last || !is_word) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
}

ZoneTaken take_zone_name(TimeCursor& cursor, CivilTime& time) {
  const std::size_t letters = cursor.letters_ahead();
  if (cursor.zones() == nullptr && !may_be_zone(cursor, letters)) return ZoneTaken::kNone;
  const std::string_view text = cursor.ahead(letters);
  if (cursor.peek(letters) == '/' && letters <= 10 && begins_like_database_zone(cursor.ahead(letters + 1))) {
    return take_database_zone(cursor, time);
  }
  const UpperWord word(text);
  TimeCursor behind = cursor;
  for (std::size_t i = 0; i < letters; ++i) behind.skip();
  if (is_digit(behind.peek()) || behind.peek() == '_') {
    const bool is_zone = is_zone_word(word.text()) || (letters > 1 && is_name_of_utc(text));
    return word.has_capitals_only && is_zone ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  ZoneTaken taken = ZoneTaken::kZone;
  if (is_name_of_utc(text)) {
    taken = letters == 1 ? (time.set_zone(0), ZoneTaken::kZone) : take_offset_from_utc(behind, time);
  } else if (word.text() == "EST" && !word.has_capitals_only) {
    return ZoneTaken::kNone;  // a word in some languages
  } else if (cursor.zones() == nullptr || !cursor.zones()->find(text, time)) {
    const auto* const mail = std::ranges::find(kMailZones, word.text(), &MailZone::name);
    if (mail == kMailZones.end()) return judge_word(word, behind, time);
    time.set_zone(mail->hours * 3600);
  }
  if (taken == ZoneTaken::kZone && is_at_second_zone(behind, letters)) return ZoneTaken::kUnknown;
  if (taken == ZoneTaken::kZone) cursor = behind;
  return taken;
}

/// Takes a zone as Java has it: 13:55[Europe/Berlin].
ZoneTaken take_zone_in_brackets(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  zone.skip();
  if (!TimeCursor::is_letter(zone.peek())) return ZoneTaken::kNone;
  CivilTime with_zone = time;
  const ZoneTaken taken = take_zone_name(zone, with_zone);
  if (taken != ZoneTaken::kZone) return taken;
  if (!zone.take(']')) return ZoneTaken::kNone;
  time = with_zone;
  cursor = zone;
  return taken;
}

/// Whether an offset without minutes ends here, and not the first part of an amount.
bool ends_offset(const TimeCursor& behind) {
  if (behind.is_at_closing() || behind.is_at_blank() || behind.is_at_separator()) return true;
  return behind.is_at_one_of(",;:") && !is_digit(behind.peek(1));
}

/// Whether a word in square brackets, where logs have others, is one that is used for a zone.
bool is_usual_name(const TimeCursor& cursor) {
  const std::size_t letters = cursor.letters_ahead();
  CivilTime other;
  const std::string_view word = cursor.ahead(letters);
  return cursor.peek(letters) != ']' || is_name_of_utc(word) || is_zone_word(UpperWord(word).text()) ||
         (cursor.zones() != nullptr && cursor.zones()->find(word, other));
}

/// Takes a zone behind blanks, or in parentheses or brackets.
ZoneTaken take_separate_zone(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  zone.skip_blanks_in_field();
  const char end = zone.take('(') ? ')' : zone.take('[') ? ']' : '\0';
  if (zone.taken() == cursor.taken()) return ZoneTaken::kNone;
  if (is_at_spelled_zone(zone)) return ZoneTaken::kUnknown;
  const bool is_certain =
      is_like_long_offset(zone) || TimeCursor::is_letter(zone.peek()) || is_like_offset_in_points(zone);
  const bool has_sign = is_at_offset(zone);
  CivilTime with_zone = time;
  if (end == ']' && TimeCursor::is_letter(zone.peek()) && !is_usual_name(zone)) return ZoneTaken::kNone;
  const ZoneTaken taken = take_zone(zone, with_zone);
  if (taken == ZoneTaken::kUnknown && has_sign && !is_certain) {  // may be other text: "12:00 -5 apples"
    for (zone.skip(); is_digit(zone.peek());) zone.skip();
    return zone.is_at_closing() || is_at_hour_mark(zone) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  if (taken != ZoneTaken::kZone) return taken;
  if (zone.goes_on()) return is_certain || (has_sign && is_at_hour_mark(zone)) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  if (has_sign && !is_certain && !ends_offset(zone)) return ZoneTaken::kNone;
  if (end != '\0' && !zone.take(end)) return ZoneTaken::kNone;
  time = with_zone;
  cursor = zone;
  return taken;
}

/// Takes a zone that is a field of its own. Other fields may follow a time as well.
ZoneTaken take_zone_in_field(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  if (!zone.take_field_gap()) return ZoneTaken::kNone;
  const std::size_t letters = zone.letters_ahead();
  if (letters == 0 && !is_clear_offset(zone)) return ZoneTaken::kNone;
  const UpperWord word(zone.ahead(letters));
  const bool is_name = is_zone_word(word.text()) || (letters > 0 && zone.peek(letters) == '/') ||
                       (is_name_of_utc(zone.ahead(letters)) && (letters > 1 || zone.peek(1) == '\0'));
  CivilTime with_zone = time;
  if (letters > 0 && is_at_spelled_zone(zone)) return ZoneTaken::kUnknown;
  const ZoneTaken taken = take_zone(zone, with_zone);
  if (taken == ZoneTaken::kNone || (letters > 0 && taken == ZoneTaken::kUnknown && !is_name)) return ZoneTaken::kNone;
  if (taken == ZoneTaken::kUnknown) return taken;
  if (!zone.is_at_closing() && !zone.is_at_blank() && !zone.is_at_separator()) return ZoneTaken::kUnknown;
  time = with_zone;
  cursor = zone;
  return taken;
}

/// Takes the zone behind a time of day, wherever it stands.
ZoneTaken take_any_zone(TimeCursor& cursor, CivilTime& time) {
  if (cursor.is_at_end()) return ZoneTaken::kNone;
  if (cursor.peek() == 'Z' && (cursor.peek(1) == ' ' || cursor.peek(1) == '\0') && cursor.peek(2) != '+' &&
      cursor.peek(2) != '-') {
    cursor.skip();
    time.set_zone(0);
    return ZoneTaken::kZone;
  }
  if (cursor.goes_on() || is_at_offset(cursor)) {
    return take_zone(cursor, time) == ZoneTaken::kZone ? ZoneTaken::kZone : ZoneTaken::kUnknown;
  }
  if (const ZoneTaken loose = take_loose_zone(cursor, time); loose != ZoneTaken::kNone) return loose;
  const ZoneTaken taken = cursor.peek() == '[' ? take_zone_in_brackets(cursor, time) : take_separate_zone(cursor, time);
  return taken == ZoneTaken::kNone ? take_zone_in_field(cursor, time) : taken;
}

}  // namespace

bool is_name_of_utc(std::string_view word) {
  if (word.size() > 3) return false;
  const UpperWord capitals(word);
  const std::string_view text = capitals.text();
  return text == "UTC" || text == "GMT" || text == "UT" || text == "Z";
}

bool take_fixed_zone(TimeCursor& cursor, CivilTime& time) {
  if (take_offset(cursor, time, OffsetHours::kMayHaveOneDigit)) return true;
  const std::size_t letters = cursor.letters_ahead();
  if (!is_name_of_utc(cursor.ahead(letters))) return false;
  for (std::size_t i = 0; i < letters; ++i) cursor.skip();
  return take_offset_from_utc(cursor, time) == ZoneTaken::kZone;
}

ZoneTaken take_zone(TimeCursor& cursor, CivilTime& time) {
  if (TimeCursor::is_letter(cursor.peek())) return take_zone_name(cursor, time);
  if (!is_at_offset(cursor)) return ZoneTaken::kNone;
  return take_offset(cursor, time, OffsetHours::kTwoDigits) ? ZoneTaken::kZone : ZoneTaken::kUnknown;
}

ZoneTaken take_zone_behind_clock(TimeCursor& cursor, CivilTime& time) {
  const ZoneTaken taken = take_any_zone(cursor, time);
  if (taken == ZoneTaken::kUnknown) time.zone = CivilTime::Zone::kUnknown;
  return taken;
}

// Capitals behind a date are mostly other words, and numbers are amounts.
bool take_zone_behind_date(TimeCursor& cursor, CivilTime& time) {
  TimeCursor zone = cursor;
  zone.skip_blanks_in_field();
  const std::size_t letters = zone.letters_ahead();
  if (zone.taken() == cursor.taken() || letters < 2 || letters > kLongestZoneWord) return true;
  const UpperWord word(zone.ahead(letters));
  if (!word.has_capitals_only) return true;
  CivilTime with_zone = time;
  const ZoneTaken taken = take_zone_name(zone, with_zone);
  if (taken == ZoneTaken::kUnknown && is_zone_word(word.text())) {
    time.zone = CivilTime::Zone::kUnknown;
    return false;
  }
  if (taken != ZoneTaken::kZone || zone.goes_on()) return true;
  time = with_zone;
  cursor = zone;
  return true;
}

bool is_at_zone_and_year(TimeCursor cursor, bool is_certain) {
  const std::size_t begin = cursor.taken();
  cursor.skip_blanks_in_field();
  const bool is_enclosed = cursor.take('(');
  const std::size_t letters = cursor.letters_ahead();
  if (cursor.taken() == begin || letters < 2 || letters > 6) return false;
  const bool is_capital = (cursor.peek() & 0x20) == 0;
  if (!is_certain && (!is_capital || !UpperWord(cursor.ahead(letters)).has_capitals_only)) return false;
  for (std::size_t i = 0; i < letters; ++i) cursor.skip();
  if (is_enclosed) cursor.take(')');
  if (cursor.peek() != ' ') return false;
  cursor.skip_blanks_in_field();
  unsigned year = 0;
  return cursor.take_digits(4, year) && !cursor.goes_on() && !cursor.is_at_one_of("-._/:");
}

}  // namespace sortie
