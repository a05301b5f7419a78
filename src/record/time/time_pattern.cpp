#include "record/time/time_pattern.hpp"

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

constexpr std::string_view kLetters = "YymdeHkIlMSfpbhBaAzZnt%";

/// What a letter stands for; nothing if it stands for itself.
std::string_view abbreviated(char letter) {
  switch (letter) {
    case 'T':
      return "%H:%M:%S";
    case 'R':
      return "%H:%M";
    case 'F':
      return "%Y-%m-%d";
    case 'D':
      return "%m/%d/%y";
    default:
      return {};
  }
}

/// Years of two digits are those from 1969 to 2068.
constexpr unsigned kFirstShortYear = 69;

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
        if (!cursor_.take_month(time_.month)) return false;
        if (letter == 'B') cursor_.skip_letters();
        return set_month();
      case 'a':
      case 'A':
        if (!cursor_.take_weekday()) return false;
        if (letter == 'A') cursor_.skip_letters();
        return true;
      default:
        return take_part_of_day(letter);
    }
  }

  /// Puts the parts together.
  bool finish() {
    if (!time_.year && !has_month_) time_.year = 1970;
    if (!has_short_hour_) return true;
    if (time_.hour == 0 || time_.hour > 12) return false;
    time_.hour = time_.hour % 12 + (is_afternoon_ ? 12 : 0);
    return true;
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
        return cursor_.take_fraction(time_.nanoseconds);
      case 'p':
        is_afternoon_ = cursor_.take_word("PM");
        return is_afternoon_ || cursor_.take_word("AM");
      case 'z':
      case 'Z':
        return cursor_.take_zone(time_.zone_seconds);
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
  bool is_afternoon_ = false;
};

}  // namespace

void validate_time_pattern(std::string_view pattern) {
  const auto refuse = [&](const std::string& reason) {
    throw Error("time format " + quote_word(pattern) + ": " + reason +
                "; known are %Y %y %m %b %B %d %e %H %I %p %M %S %f (fraction) %z %a %A %F %D %T %R %n %t and %%");
  };
  bool any = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (++i == pattern.size()) refuse("nothing follows the last %");
    if (abbreviated(pattern[i]).empty() && kLetters.find(pattern[i]) == std::string_view::npos) {
      refuse("%" + std::string(1, pattern[i]) + " is not known");
    }
    any = true;
  }
  if (!any) refuse("it has no part of a time");
}

std::string expanded_time_pattern(std::string_view pattern) {
  std::string expanded;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    expanded += pattern[i];
    if (pattern[i] != '%') continue;
    const char letter = pattern[++i];
    const std::string_view letters = abbreviated(letter);
    if (letters.empty()) {
      expanded += letter;
    } else {
      expanded.append(letters.substr(1));
    }
  }
  return expanded;
}

bool take_pattern(std::string_view pattern, TimeCursor& cursor, CivilTime& time) {
  PatternReader reader(cursor, time);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool taken = pattern[i] == '%' ? reader.take(pattern[++i]) : reader.take_literal(pattern[i]);
    if (!taken) return false;
  }
  return reader.finish();
}

}  // namespace sortie
