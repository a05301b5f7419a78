#include "record/time/time_pattern.hpp"

#include <array>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/time/time_grammar.hpp"
#include "record/time/time_parts.hpp"

namespace sortie {
namespace {

/// Years of two digits are those from 1969 to 2068.
constexpr unsigned kFirstShortYear = 69;

/// In an expanded pattern: a fraction behind a point or comma, if there is one.
constexpr char kFractionIfAny = '?';

/// A text that is read as a pattern says, and what the parts so far have been.
struct PatternReading {
  TimeCursor& cursor;
  CivilTime& time;
  bool has_month = false;
  bool has_short_hour = false;
  bool has_day_period = false;
  bool is_afternoon = false;
};

template <unsigned CivilTime::*kPart>
bool take_part(PatternReading& reading) {
  if (!is_digit(reading.cursor.peek())) reading.cursor.skip_blanks();
  return reading.cursor.take_number(2, reading.time.*kPart);
}

bool take_year(PatternReading& reading) {
  unsigned year = 0;
  if (!reading.cursor.take_digits(4, year)) return false;
  reading.time.year = static_cast<int>(year);
  return true;
}

bool take_short_year(PatternReading& reading) {
  unsigned year = 0;
  if (!reading.cursor.take_digits(2, year)) return false;
  reading.time.year = static_cast<int>(year + (year < kFirstShortYear ? 2000 : 1900));
  return true;
}

bool take_number_of_month(PatternReading& reading) {
  reading.has_month = true;
  return take_part<&CivilTime::month>(reading);
}

bool take_name_of_month(PatternReading& reading) {
  reading.has_month = true;
  return take_month(reading.cursor, reading.time.month);
}

bool take_short_hour(PatternReading& reading) {
  reading.has_short_hour = true;
  return take_part<&CivilTime::hour>(reading);
}

bool take_half_of_day(PatternReading& reading) {
  reading.has_day_period = true;
  return take_day_period(reading.cursor, reading.is_afternoon);
}

bool take_fraction(PatternReading& reading) { return reading.cursor.take_fraction(reading.time.attoseconds); }

bool take_fraction_if_any(PatternReading& reading) {
  return !take_shape<"[.,]&9">(reading.cursor) || take_fraction(reading);
}

bool take_zone_of_pattern(PatternReading& reading) {
  const bool is_at_word = TimeCursor::is_letter(reading.cursor.peek());
  TimeCursor zone = reading.cursor;
  const ZoneTaken taken = take_zone(zone, reading.time);
  if (taken == ZoneTaken::kZone) reading.cursor = zone;
  if (taken == ZoneTaken::kUnknown || (taken == ZoneTaken::kNone && is_at_word)) {
    reading.time.zone = CivilTime::Zone::kUnknown;
  }
  return taken == ZoneTaken::kZone;
}

bool take_day_of_week(PatternReading& reading) { return take_weekday(reading.cursor); }
bool take_blanks(PatternReading& reading) { return take_shape<"B?">(reading.cursor); }
bool take_percent(PatternReading& reading) { return reading.cursor.take('%'); }

struct PatternLetter {
  char letter;
  bool is_of_moment;              ///< it is a part of a date or of a time of day
  bool (*take)(PatternReading&);  ///< null: it stands for other letters
  std::string_view stands_for = {};
};

// In the order in which the message lists them.
constexpr std::array kLetters = std::to_array<PatternLetter>({
    {'Y', true, take_year},
    {'y', true, take_short_year},
    {'m', true, take_number_of_month},
    {'b', true, take_name_of_month},
    {'B', true, take_name_of_month},
    {'h', true, take_name_of_month},
    {'d', true, take_part<&CivilTime::day>},
    {'e', true, take_part<&CivilTime::day>},
    {'H', true, take_part<&CivilTime::hour>},
    {'k', true, take_part<&CivilTime::hour>},
    {'I', true, take_short_hour},
    {'l', true, take_short_hour},
    {'p', false, take_half_of_day},
    {'M', true, take_part<&CivilTime::minute>},
    {'S', true, take_part<&CivilTime::second>},
    {'f', true, take_fraction},
    {'z', false, take_zone_of_pattern},
    {'Z', false, take_zone_of_pattern},
    {'a', false, take_day_of_week},
    {'A', false, take_day_of_week},
    {'F', true, nullptr, "%Y-%m-%d"},
    {'D', true, nullptr, "%m/%d/%y"},
    {'T', true, nullptr, "%H:%M:%S"},
    {'R', true, nullptr, "%H:%M"},
    {'n', false, take_blanks},
    {'t', false, take_blanks},
    {'%', false, take_percent},
});

/// Where a letter is listed, counted from 1.
constexpr auto kPositionOfLetter = [] {
  std::array<unsigned char, 256> positions{};
  for (std::size_t i = 0; i < kLetters.size(); ++i)
    positions[static_cast<unsigned char>(kLetters[i].letter)] = static_cast<unsigned char>(i + 1);
  return positions;
}();

/// Null if the letter is not known.
const PatternLetter* find_letter(char letter) {
  const std::size_t position = kPositionOfLetter[static_cast<unsigned char>(letter)];
  return position == 0 ? nullptr : &kLetters[position - 1];
}

/// Takes what a pattern has at `at`, and moves that behind it.
bool take_next(std::string_view pattern, std::size_t& at, PatternReading& reading) {
  const char byte = pattern[at++];
  if (byte == ' ' || byte == '\t') return take_blanks(reading);
  if (byte != '%') return reading.cursor.take(byte);
  const char letter = pattern[at++];
  if (!(letter == kFractionIfAny ? take_fraction_if_any(reading) : find_letter(letter)->take(reading))) return false;
  // A number that goes on is another one: "10.10.2000" is not of the year 20.
  return at < pattern.size() || !is_digit(reading.cursor.peek());
}

}  // namespace

std::string known_pattern_letters() {
  std::string letters;
  for (const PatternLetter& known : kLetters) letters.append(letters.empty() ? "%" : " %").append(1, known.letter);
  return letters;
}

void validate_time_pattern(std::string_view pattern) {
  const auto refuse = [&](const std::string& reason) {
    throw Error("time format " + quote_word(pattern) + ": " + reason + "; known are " + known_pattern_letters() +
                ", where %f is a fraction");
  };
  bool is_of_moment = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (++i == pattern.size()) refuse("nothing follows the last %");
    const PatternLetter* const letter = find_letter(pattern[i]);
    if (letter == nullptr) refuse("%" + std::string(1, pattern[i]) + " is not known");
    is_of_moment |= letter->is_of_moment;
  }
  if (!is_of_moment) refuse("it has no part of a date or of a time of day");
}

std::string expanded_time_pattern(std::string_view pattern) {
  std::string rest(pattern);
  std::string expanded;
  while (!rest.empty()) {
    const bool is_letter = rest[0] == '%';
    const PatternLetter* const letter = is_letter ? find_letter(rest[1]) : nullptr;
    if (letter == nullptr || letter->stands_for.empty()) expanded.append(rest, 0, is_letter ? 2 : 1);
    rest.replace(0, is_letter ? 2 : 1, letter != nullptr ? letter->stands_for : std::string_view());
    if (letter == nullptr || letter->letter != 'S') continue;
    const bool has_point = rest.starts_with(".%f") || rest.starts_with(",%f");
    if (has_point) rest.erase(0, 3);
    if (has_point || !rest.starts_with("%f")) expanded.append(1, '%').append(1, kFractionIfAny);
  }
  return expanded;
}

bool take_pattern(std::string_view pattern, TimeCursor& cursor, CivilTime& time) {
  PatternReading reading{cursor, time};
  for (std::size_t at = 0; at < pattern.size();) {
    if (!take_next(pattern, at, reading)) return false;
  }
  if (!time.year && !reading.has_month) time.year = 1970;
  if (!reading.has_short_hour) return true;
  if (!reading.has_day_period && is_at_shape<"B?<day period>!W">(cursor)) return false;
  return set_hour_of_day_period(time, reading.is_afternoon);
}

}  // namespace sortie
