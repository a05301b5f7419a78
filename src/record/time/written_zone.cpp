#include "record/time/time_parts.hpp"

#include <cstddef>
#include <string_view>

#include "record/time/time_grammar.hpp"
#include "record/time/time_zones.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

/// Takes an offset behind the bracket or quote that ends a time, if it cannot be an amount: "] +1000 points".
ZoneTaken take_offset_behind_closing(TimeCursor& cursor, CivilTime& time) {
  if (!take_shape<"K+_&<clear offset>">(cursor)) return ZoneTaken::kNone;
  const bool is_no_amount = is_at_shape<"[+-](0|99:)">(cursor);
  if (!take_offset(cursor, time) || cursor.goes_on()) return ZoneTaken::kNone;
  return is_no_amount || is_at_shape<"($|S)">(cursor) ? ZoneTaken::kZone : ZoneTaken::kNone;
}

/// Takes a zone behind what names one: tz=CEST.
ZoneTaken take_labelled_zone(TimeCursor& cursor, CivilTime& time) {
  cursor.take('(');
  const bool is_certain = take_shape<"<zone label>">(cursor);
  if (!is_certain && !take_shape<"zone!W_[=:]<opening>">(cursor)) return ZoneTaken::kNone;
  const ZoneTaken taken = take_zone(cursor, time);
  if (taken == ZoneTaken::kZone && !cursor.goes_on()) return taken;
  return is_certain || taken == ZoneTaken::kUnknown ? ZoneTaken::kUnknown : ZoneTaken::kNone;
}

/// Takes a zone behind a word that names one, without a mark: "tz CEST", "in UTC". It has capitals, or a region.
ZoneTaken take_zone_behind_word(TimeCursor& cursor, CivilTime& time) {
  if (!take_shape<"(tz|zone|timezone|time[ ]zone|in)[ ]">(cursor)) return ZoneTaken::kNone;
  const std::size_t letters = cursor.letters_ahead();
  const UpperWord word(cursor.ahead(letters));
  const bool has_region = is_at_shape<"<region>">(cursor);
  const bool is_name =
      word.size >= 3 && word.has_capitals_only && (is_zone_word(word.text()) || is_name_of_utc(word.text()));
  const ZoneTaken taken = is_name || has_region ? take_zone(cursor, time) : ZoneTaken::kNone;
  return taken == ZoneTaken::kZone && cursor.goes_on() ? ZoneTaken::kNone : taken;
}

/// Takes a zone behind blanks: its sign apart, or behind what names it.
ZoneTaken take_loose_zone(TimeCursor& cursor, CivilTime& time) {
  cursor.skip_blanks_in_field();
  if (cursor.sign_size() > 0) return take_loose_offset(cursor, time);
  if (!cursor.is_at_one_of("tTzZiI(")) return ZoneTaken::kNone;
  TimeCursor behind_word = cursor;
  const ZoneTaken taken = take_labelled_zone(cursor, time);
  if (taken != ZoneTaken::kNone) return taken;
  cursor = behind_word;
  return take_zone_behind_word(cursor, time);
}

/// Takes a zone as Java has it: 13:55[Europe/Berlin].
ZoneTaken take_zone_in_brackets(TimeCursor& cursor, CivilTime& time) {
  if (!cursor.take('[') || !TimeCursor::is_letter(cursor.peek())) return ZoneTaken::kNone;
  const ZoneTaken taken = take_zone_name(cursor, time);
  return taken == ZoneTaken::kZone && !cursor.take(']') ? ZoneTaken::kNone : taken;
}

/// Whether a word in square brackets, where logs have others, is one that is used for a zone.
bool is_usual_name(const TimeCursor& cursor) {
  const std::size_t letters = cursor.letters_ahead();
  CivilTime other;
  const std::string_view word = cursor.ahead(letters);
  return cursor.peek(letters) != ']' || is_name_of_utc(word) || is_zone_word(UpperWord(word).text()) ||
         (cursor.zones() != nullptr && cursor.zones()->find(word, other));
}

/// Takes an offset behind blanks, or in parentheses or brackets. It may be other text: "12:00 -5 apples".
ZoneTaken take_separate_offset(TimeCursor& cursor, CivilTime& time) {
  if (is_at_shape<"<cut offset>">(cursor)) return ZoneTaken::kUnknown;
  const bool is_certain = is_at_shape<"(<long offset>|~09[.']99!9)">(cursor);
  if (!take_offset(cursor, time)) {
    if (is_certain) return ZoneTaken::kUnknown;
    return is_at_shape<"^9*($|h($|S|9))">(cursor) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  }
  if (cursor.goes_on()) return is_certain || is_at_shape<"h($|S|9)">(cursor) ? ZoneTaken::kUnknown : ZoneTaken::kNone;
  return is_certain || is_at_shape<"($|& |S|[,;:]!9)">(cursor) ? ZoneTaken::kZone : ZoneTaken::kNone;
}

/// Takes a zone behind blanks, or in parentheses or brackets.
ZoneTaken take_separate_zone(TimeCursor& cursor, CivilTime& time) {
  const std::size_t begin = cursor.taken();
  cursor.skip_blanks_in_field();
  const char end = cursor.take('(') ? ')' : cursor.take('[') ? ']' : '\0';
  if (cursor.taken() == begin) return ZoneTaken::kNone;
  ZoneTaken taken = ZoneTaken::kNone;
  if (cursor.is_at_offset()) {
    taken = take_separate_offset(cursor, time);
  } else if (TimeCursor::is_letter(cursor.peek())) {
    if (is_at_spelled_zone(cursor)) return ZoneTaken::kUnknown;
    if (end == ']' && !is_usual_name(cursor)) return ZoneTaken::kNone;
    taken = take_zone_name(cursor, time);
    if (taken == ZoneTaken::kZone && cursor.goes_on()) return ZoneTaken::kUnknown;
  }
  return taken == ZoneTaken::kZone && end != '\0' && !cursor.take(end) ? ZoneTaken::kNone : taken;
}

/// Takes a zone that is a field of its own. Other fields may follow a time as well.
ZoneTaken take_zone_in_field(TimeCursor& cursor, CivilTime& time) {
  if (!take_shape<"K*_S<opening>">(cursor)) return ZoneTaken::kNone;
  const std::size_t letters = cursor.letters_ahead();
  if (letters == 0) {
    if (is_at_shape<"<cut offset>">(cursor)) return ZoneTaken::kUnknown;
    if (!is_at_shape<"<clear offset>">(cursor)) return ZoneTaken::kNone;
  } else if (is_at_spelled_zone(cursor)) {
    return ZoneTaken::kUnknown;
  }
  const UpperWord word(cursor.ahead(letters));
  const bool is_name = letters == 0 || is_zone_word(word.text()) || cursor.peek(letters) == '/' ||
                       (is_name_of_utc(word.text()) && (letters > 1 || is_at_shape<"^(E|[+-]|9)">(cursor))) ||
                       is_at_last_place(cursor);
  const ZoneTaken taken = take_zone(cursor, time);
  if (taken == ZoneTaken::kUnknown) return is_name ? taken : ZoneTaken::kNone;
  return taken == ZoneTaken::kZone && !is_at_shape<"($|& |S)">(cursor) ? ZoneTaken::kUnknown : taken;
}

using ZoneReader = ZoneTaken (*)(TimeCursor& cursor, CivilTime& time);

/// Takes the zone that the first of the readers finds.
template <ZoneReader... kReaders>
ZoneTaken take_first(TimeCursor& cursor, CivilTime& time) {
  const auto take = [&](ZoneReader reader) {
    TimeCursor zone = cursor;
    CivilTime with_zone = time;
    const ZoneTaken taken = reader(zone, with_zone);
    if (taken == ZoneTaken::kZone) {
      time = with_zone;
      cursor = zone;
    }
    return taken;
  };
  ZoneTaken taken = ZoneTaken::kNone;
  static_cast<void>((((taken = take(kReaders)) != ZoneTaken::kNone) || ...));
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
  if (cursor.goes_on() || cursor.is_at_offset()) {
    return take_zone(cursor, time) == ZoneTaken::kZone ? ZoneTaken::kZone : ZoneTaken::kUnknown;
  }
  if (cursor.is_at_closing()) return take_first<take_offset_behind_closing, take_zone_in_field>(cursor, time);
  if (cursor.peek() == '[') return take_first<take_zone_in_brackets, take_zone_in_field>(cursor, time);
  return take_first<take_loose_zone, take_separate_zone, take_zone_in_field>(cursor, time);
}

}  // namespace

ZoneTaken take_zone_behind_time_of_day(TimeCursor& cursor, CivilTime& time) {
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
  TimeCursor behind = zone;
  behind.skip(letters);
  CivilTime with_zone = time;
  const ZoneTaken taken = take_zone_name(zone, with_zone);
  if (taken == ZoneTaken::kUnknown && is_zone_word(word.text()) && (letters > 2 || behind.is_at_closing())) {
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
  if (cursor.taken() == begin || !TimeCursor::is_letter(cursor.peek())) return false;
  const bool is_capital = (cursor.peek() & 0x20) == 0;
  if (!is_capital && !is_certain) return false;
  TimeCursor behind = cursor;
  take_shape<"(A|-)*">(behind);
  if (!is_capital || !is_zone_place(cursor.ahead(behind.taken() - cursor.taken()))) {
    const std::size_t letters = cursor.letters_ahead();
    if (letters < 2 || letters > 6) return false;
    if (!is_certain && !UpperWord(cursor.ahead(letters)).has_capitals_only) return false;
    behind = cursor;
    behind.skip(letters);
  }
  if (is_enclosed) behind.take(')');
  return is_at_shape<"[ ]_9999!W![-._/:]">(behind);
}

}  // namespace sortie
