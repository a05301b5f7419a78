#include "record/time/time_pattern.hpp"

#include <algorithm>
#include <array>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/time/time_grammar.hpp"
#include "record/time/zone_name.hpp"

namespace sortie {
namespace {

/// Where a letter leads: only the parts of a date or of a day tell moments.
enum class PatternPart { kMoment, kOther };

struct PatternLetter {
  char letter;
  PatternPart part;
  std::string_view stands_for = {};  ///< other letters
};

// In the order in which the message lists them.
constexpr std::array kLetters = std::to_array<PatternLetter>({
    {'Y', PatternPart::kMoment},
    {'y', PatternPart::kMoment},
    {'m', PatternPart::kMoment},
    {'b', PatternPart::kMoment},
    {'B', PatternPart::kMoment},
    {'h', PatternPart::kMoment},
    {'d', PatternPart::kMoment},
    {'e', PatternPart::kMoment},
    {'H', PatternPart::kMoment},
    {'k', PatternPart::kMoment},
    {'I', PatternPart::kMoment},
    {'l', PatternPart::kMoment},
    {'p', PatternPart::kOther},
    {'M', PatternPart::kMoment},
    {'S', PatternPart::kMoment},
    {'f', PatternPart::kMoment},
    {'z', PatternPart::kOther},
    {'Z', PatternPart::kOther},
    {'a', PatternPart::kOther},
    {'A', PatternPart::kOther},
    {'F', PatternPart::kMoment, "%Y-%m-%d"},
    {'D', PatternPart::kMoment, "%m/%d/%y"},
    {'T', PatternPart::kMoment, "%H:%M:%S"},
    {'R', PatternPart::kMoment, "%H:%M"},
    {'n', PatternPart::kOther},
    {'t', PatternPart::kOther},
    {'%', PatternPart::kOther},
});

/// Null if the letter is not known.
const PatternLetter* find_letter(char letter) {
  const auto* const found = std::ranges::find(kLetters, letter, &PatternLetter::letter);
  return found == kLetters.end() ? nullptr : found;
}

/// Years of two digits are those from 1969 to 2068.
constexpr unsigned kFirstShortYear = 69;

/// In an expanded pattern: a fraction behind a point or comma, if there is one.
constexpr char kFractionIfAny = '?';

/// Takes the parts of a time in the order of a pattern.
class PatternReader {
 public:
  PatternReader(TimeCursor& cursor, CivilTime& time) : cursor_(cursor), time_(time) {}

  bool take_literal(char byte) {
    if (byte != ' ' && byte != '\t') return cursor_.take(byte);
    cursor_.skip_blanks();
    return true;
  }

  bool take(char letter) {
    switch (letter) {
      case 'Y':
        return cursor_.take_digits(4, year_) && set_year(year_);
      case 'y':
        return cursor_.take_digits(2, year_) && set_year(year_ + (year_ < kFirstShortYear ? 2000 : 1900));
      case 'm':
        return take_number(time_.month) && set_month();
      case 'b':
      case 'h':
      case 'B':
        return take_month(cursor_, time_.month) && set_month();
      case 'a':
      case 'A':
        return take_weekday(cursor_);
      default:
        return take_part_of_day(letter);
    }
  }

  /// Puts the parts together.
  bool finish() {
    if (!time_.year && !has_month_) time_.year = 1970;
    if (has_short_hour_ && !has_day_period_ && is_at_day_period()) return false;
    return !has_short_hour_ || set_hour_of_day_period(time_, is_afternoon_);
  }

 private:
  bool take_part_of_day(char letter) {
    switch (letter) {
      case 'd':
      case 'e':
        return take_number(time_.day);
      case 'H':
      case 'k':
        return take_number(time_.hour);
      case 'I':
      case 'l':
        has_short_hour_ = true;
        return take_number(time_.hour);
      case 'M':
        return take_number(time_.minute);
      case 'S':
        return take_number(time_.second);
      case 'f':
        return cursor_.take_fraction(time_.attoseconds);
      case kFractionIfAny:
        return take_fraction_if_any();
      case 'p':
        has_day_period_ = true;
        return take_day_period(cursor_, is_afternoon_);
      case 'z':
      case 'Z':
        return take_zone();
      case 'n':
      case 't':
        return take_literal(' ');
      default:
        return cursor_.take('%');
    }
  }

  bool take_number(unsigned& value) {
    cursor_.skip_blanks();
    return cursor_.take_number(2, value);
  }

  /// Whether AM or PM follows.
  bool is_at_day_period() const {
    TimeCursor behind = cursor_;
    bool is_afternoon = false;
    behind.skip_blanks();
    return take_day_period(behind, is_afternoon) && !behind.goes_on();
  }

  bool take_zone() {
    const bool is_at_word = TimeCursor::is_letter(cursor_.peek());
    const ZoneTaken zone = sortie::take_zone(cursor_, time_);
    if (zone == ZoneTaken::kUnknown || (zone == ZoneTaken::kNone && is_at_word)) time_.zone = CivilTime::Zone::kUnknown;
    return zone == ZoneTaken::kZone;
  }

  bool take_fraction_if_any() {
    const char point = cursor_.peek();
    if ((point != '.' && point != ',') || !is_digit(cursor_.peek(1))) return true;
    return cursor_.take(point) && cursor_.take_fraction(time_.attoseconds);
  }

  bool set_year(unsigned year) {
    time_.year = static_cast<int>(year);
    return true;
  }

  bool set_month() { return has_month_ = true; }

  TimeCursor& cursor_;
  CivilTime& time_;
  unsigned year_ = 0;
  bool has_month_ = false;
  bool has_short_hour_ = false;
  bool has_day_period_ = false;
  bool is_afternoon_ = false;
};

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
  bool tells_moment = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (++i == pattern.size()) refuse("nothing follows the last %");
    const PatternLetter* const letter = find_letter(pattern[i]);
    if (letter == nullptr) refuse("%" + std::string(1, pattern[i]) + " is not known");
    tells_moment |= letter->part == PatternPart::kMoment;
  }
  if (!tells_moment) refuse("it has no part of a date or of a time of day");
}

namespace {

/// `pattern` with the letters that stand for several others replaced by them.
std::string without_short_forms(std::string_view pattern) {
  std::string expanded;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      expanded += pattern[i];
      continue;
    }
    const char letter = pattern[++i];
    const std::string_view letters = find_letter(letter)->stands_for;
    expanded += letters.empty() ? std::string{'%', letter} : std::string(letters);
  }
  return expanded;
}

}  // namespace

std::string expanded_time_pattern(std::string_view pattern) {
  const std::string letters = without_short_forms(pattern);
  std::string expanded;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    expanded += letters[i];
    if (letters[i] != '%') continue;
    expanded += letters[++i];
    if (letters[i] != 'S') continue;
    const std::string_view next = std::string_view(letters).substr(i + 1);
    if (next.starts_with(".%f") || next.starts_with(",%f")) i += 3;
    if (next.starts_with(".%f") || next.starts_with(",%f") || !next.starts_with("%f")) {
      expanded.append(1, '%').append(1, kFractionIfAny);
    }
  }
  return expanded;
}

bool take_pattern(std::string_view pattern, TimeCursor& cursor, CivilTime& time) {
  PatternReader reader(cursor, time);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_literal = pattern[i] != '%';
    if (!(is_literal ? reader.take_literal(pattern[i]) : reader.take(pattern[++i]))) return false;
    // A number that goes on is another one: "10.10.2000" is not of the year 20.
    if (i + 1 == pattern.size() && !is_literal && is_digit(cursor.peek())) return false;
  }
  return reader.finish();
}

}  // namespace sortie
