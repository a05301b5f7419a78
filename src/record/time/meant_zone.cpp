#include "record/time/time_parts.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include "record/time/time_grammar.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

constexpr std::size_t kMostCapitals = 5;  // of a name that is not listed
constexpr std::size_t kLongestName = 32;

bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }

/// Takes letters, digits and marks that names have.
std::string_view take_name(TimeCursor& cursor) {
  const TimeCursor name = cursor;
  std::size_t size = 0;
  for (; size <= kLongestName && (cursor.goes_on() || cursor.is_at_one_of("_+-")); ++size) cursor.skip();
  return name.ahead(size);
}

/// Whether the bracket that ends here is the one around the time.
bool ends_time(const TimeCursor& name, const TimeCursor& behind) {
  if (behind.is_at_end() || !is_at_shape<"<word end>">(behind) || name.is_behind_opening()) return false;
  const char end = behind.peek();
  const char opening = end == ']' ? '[' : end == ')' ? '(' : end == '}' ? '{' : end == '>' ? '<' : end;
  return behind.first() == opening;
}

/// Whether a name of two letters stands alone: CT is a zone, but CT-5 and CT=5 are none, nor is what Windows has.
bool stands_alone(TimeCursor behind) {
  if (is_at_shape<"(<word end>|S|[,;:.]|& _!(authority|service))">(behind)) return true;
  return behind.take('/') && is_zone_word(UpperWord(behind.ahead(behind.letters_ahead())).text());
}

/// Whether it is a listed name where text goes on.
bool is_name_in_text(const UpperWord& word, const TimeCursor& behind, const CivilTime& time) {
  if (!is_zone_word(word.text())) return false;
  if (word.has_capitals_only) return word.size > 2 || time.has_day_period || stands_alone(behind);
  return word.size >= 4 && word.text() != "WEST" && word.text() != "HAST";  // others are words: ist, cet, eat
}

bool is_name_in_capitals(const UpperWord& word, const TimeCursor& name, const TimeCursor& behind,
                         const CivilTime& time) {
  if (is_zone_word(word.text())) return is_name_in_text(word, behind, time);
  if (word.size > 1 && word.size <= kMostCapitals && is_at_shape<"&([+]|^99:)<clear offset>">(behind)) return true;
  if (word.text() == "GET" && ends_time(name, behind)) return true;
  if (!is_at_shape<"<word end>">(behind) || word.size > kMostCapitals || is_word_of_logs(word.text())) return false;
  const bool is_short_zone = word.text() == "AT" || word.text() == "GB" || word.text() == "LT";
  return word.size > 2 || is_short_zone || (word.size == 2 && !name.is_behind_opening());
}

/// Whether it is a word with a capital that the bracket around the time has behind it, and none of logs or dates.
bool is_name_in_bracket(std::string_view name, const TimeCursor& cursor, const TimeCursor& behind) {
  if (!is_capital(name.front()) || name.size() < 3 || !ends_time(cursor, behind)) return false;
  TimeCursor date = cursor;
  unsigned month = 0;
  return !is_word_of_logs(UpperWord(name).text()) && !take_weekday(date) && !take_month(date, month);
}

/// Whether letters with points between them are the name of a zone: E.S.T.
bool is_at_letters_with_points(TimeCursor cursor) {
  std::array<char, kMostCapitals> letters{};
  std::size_t size = 0;
  while (size < letters.size() && is_capital(cursor.peek()) && (cursor.peek(1) == '.' || size > 1)) {
    letters[size++] = cursor.peek();
    cursor.skip();
    if (!cursor.take('.')) break;
  }
  const std::string_view word(letters.data(), size);
  return size > 1 && !cursor.goes_on() && (is_zone_word(word) || word == "UTC");
}

bool is_last_place(std::string_view name, const TimeCursor& name_end) {
  return !name.empty() && (is_capital(name.front()) || name == "local") && is_at_shape<"<word end>">(name_end) &&
         is_zone_place(name);
}

}  // namespace

bool is_meant_as_zone(const TimeCursor& cursor, const CivilTime& time) {
  const std::size_t letters = cursor.letters_ahead();
  const UpperWord word(cursor.ahead(letters));
  TimeCursor behind = cursor;
  behind.skip(letters);
  if (behind.peek() == ' ' && TimeCursor::is_letter(behind.peek(1))) return is_name_in_text(word, behind, time);
  TimeCursor name_end = cursor;
  const std::string_view name = take_name(name_end);
  // The name of a zone in front of a router's message is whatever the router was told: "ET: %SYS-5-CONFIG_I".
  if (name_end.peek() == ':' && is_at_shape<":_%C">(name_end)) return true;
  if (letters == 1 && behind.peek() == '.') return is_at_letters_with_points(cursor);
  if (is_last_place(name, name_end)) return true;
  if (behind.peek() == '-' && is_capital(cursor.peek()) && is_zone_place(name)) return true;  // NZ-CHAT
  if (is_digit(behind.peek()) || behind.peek() == '_') return false;
  if (word.size > 0 && word.has_capitals_only) return is_name_in_capitals(word, cursor, behind, time);
  if (is_name_in_bracket(name, cursor, name_end)) return true;
  return is_name_in_text(word, behind, time) || (is_zone_word(word.text()) && is_at_shape<"<word end>">(behind));
}

bool is_at_last_place(const TimeCursor& cursor) {
  TimeCursor name_end = cursor;
  const std::string_view name = take_name(name_end);
  return is_last_place(name, name_end);
}

// In small letters it is one of a few zones, else any words are in front of the kind of time.
bool is_at_spelled_zone(const TimeCursor& cursor) {
  if (!TimeCursor::is_letter(cursor.peek())) return false;
  const bool is_capitalised = (cursor.peek() & 0x20) == 0 && (cursor.peek(1) & 0x20) != 0;
  if (!is_capitalised) {
    return cursor.is_at_one_of("ecmpal") &&
           is_at_shape<"(eastern|central|mountain|pacific|atlantic|local)[ ](<kind of time>|time$)">(cursor);
  }
  if (is_at_shape<"A+[ ]time$">(cursor) && is_zone_place(cursor.ahead(cursor.letters_ahead()))) return true;
  return is_at_shape<"(!<kind of time>A*.?[ ]){0,4}<kind of time>">(cursor);
}

bool is_at_bare_offset(TimeCursor cursor) {
  unsigned hours = 0;
  unsigned minutes = 0;
  return take_numbers<"(9{1,2}!9(:99!W|!:&<word end>)|9999!W)">(cursor, hours, minutes) > 0 && hours <= 14 &&
         minutes < 60;
}

}  // namespace sortie
