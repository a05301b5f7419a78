#include "record/time/zone_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "record/time/loose_zone.hpp"
#include "record/time/meant_zone.hpp"
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
constexpr unsigned kLastLetters = letters_as_bits(kLastZoneLetters);

/// Whether a word may be a zone by its last letter: most words of logs are none. One that ends the text is looked at.
bool may_be_zone(const TimeCursor& cursor, std::size_t letters) {
  const char behind = cursor.peek(letters);
  const bool goes_on =
      behind == ' ' ? cursor.peek(letters + 1) != '\0' : behind == ':' && cursor.peek(letters + 2) != '%';
  if (!goes_on) return true;
  if ((cursor.peek(letters - 1) | 0x20) == 'e') return (cursor.peek() | 0x20) == 'h';  // HAE, HNE
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

/// What a word is that has no meaning as a zone: one nevertheless, or the zone that all times are in, or text.
ZoneTaken judge_word(TimeCursor& cursor, CivilTime& time) {
  const std::size_t letters = cursor.letters_ahead();
  if (cursor.zones() != nullptr && cursor.zones()->is_own_zone(cursor.ahead(letters))) {
    for (std::size_t i = 0; i < letters; ++i) cursor.skip();
    time.zone = CivilTime::Zone::kNone;
    return ZoneTaken::kZone;
  }
  return is_meant_as_zone(cursor, time) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
}

}  // namespace

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
  if (behind.peek() >= '\xC3' && behind.peek() <= '\xDF') return ZoneTaken::kNone;  // a letter, as in Zürich
  if (is_digit(behind.peek()) || behind.peek() == '_') {
    const bool is_zone =
        is_zone_word(word.text()) || (is_name_of_utc(text) && (letters > 1 || is_at_bare_offset(behind)));
    if (word.has_capitals_only && letters != 2 && is_zone) return ZoneTaken::kUnknown;
    return is_meant_as_zone(cursor, time) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  ZoneTaken taken = ZoneTaken::kZone;
  if (is_name_of_utc(text)) {
    if (letters == 1 && is_at_offset(behind)) return ZoneTaken::kUnknown;
    taken = letters == 1 ? (time.set_zone(0), ZoneTaken::kZone) : take_offset_from_utc(behind, time);
  } else if (word.text() == "EST" && !word.has_capitals_only) {
    return ZoneTaken::kNone;  // a word in some languages
  } else if (cursor.zones() == nullptr || !cursor.zones()->find(text, time)) {
    const auto* const mail = std::ranges::find(kMailZones, word.text(), &MailZone::name);
    if (mail == kMailZones.end()) return judge_word(cursor, time);
    time.set_zone(mail->hours * 3600);
  }
  if (taken == ZoneTaken::kZone && is_at_second_zone(behind, letters)) return ZoneTaken::kUnknown;
  if (taken == ZoneTaken::kZone) cursor = behind;
  return taken;
}

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

}  // namespace sortie
