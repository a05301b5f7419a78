#include "record/time/meant_zone.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include "record/time/zone_offset.hpp"
#include "record/time/zone_places.hpp"
#include "record/time/zone_words.hpp"

namespace sortie {
namespace {

constexpr std::size_t kMostCapitals = 5;  // of a name that is not listed
constexpr std::size_t kLongestName = 32;

bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }

void skip_bytes(TimeCursor& cursor, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) cursor.skip();
}

/// Letters, digits and marks that names have.
std::size_t name_size(const TimeCursor& cursor) {
  const auto suits = [](char byte) {
    return TimeCursor::is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || byte == '+';
  };
  std::size_t size = 0;
  while (size <= kLongestName && suits(cursor.peek(size))) ++size;
  return size;
}

/// Whether a message of a router follows, as in "ET: %SYS-5-CONFIG_I". In front of it stands the zone's name, which is
/// whatever the router was told.
bool is_at_router_message(TimeCursor cursor) {
  if (!cursor.take(':')) return false;
  cursor.skip_blanks_in_field();
  return cursor.peek() == '%' && is_capital(cursor.peek(1));
}

/// Whether a bracket or quote ends here, or the text but for blanks. An apostrophe ends neither.
bool is_last(TimeCursor behind) {
  if (behind.is_at_closing()) return behind.peek() != '\'' || !TimeCursor::is_letter(behind.peek(1));
  behind.skip_blanks_in_field();
  behind.take('\r');
  return behind.is_at_end();
}

/// Whether the bracket that ends here is the one around the time.
bool ends_time(const TimeCursor& name, const TimeCursor& behind) {
  if (behind.is_at_end() || !is_last(behind) || name.is_behind_opening()) return false;
  const char end = behind.peek();
  const char opening = end == ']' ? '[' : end == ')' ? '(' : end == '}' ? '{' : end == '>' ? '<' : end;
  return behind.first() == opening;
}

/// Whether a name of two letters stands alone: CT is a zone, but CT-5 and CT=5 are none, nor is what Windows has.
bool stands_alone(TimeCursor behind) {
  if (is_last(behind) || behind.is_at_separator() || behind.is_at_one_of(",;:.")) return true;
  if (!behind.is_at_blank()) {
    return behind.take('/') && is_zone_word(UpperWord(behind.ahead(behind.letters_ahead())).text());
  }
  behind.skip_blanks_in_field();
  return !behind.take_word("AUTHORITY") && !behind.take_word("SERVICE");
}

/// Whether it is a listed name where text goes on.
bool is_name_in_text(const UpperWord& word, const TimeCursor& behind, const CivilTime& time) {
  if (!word.has_capitals_only) {  // short names are words of some language: ist, cet, eat
    return word.size >= 4 && is_zone_word(word.text()) && word.text() != "WEST" && word.text() != "HAST";
  }
  return is_zone_word(word.text()) && (word.size > 2 || time.has_day_period || stands_alone(behind));
}

bool is_name_in_capitals(const UpperWord& word, const TimeCursor& name, const TimeCursor& behind,
                         const CivilTime& time) {
  if (is_zone_word(word.text())) return is_name_in_text(word, behind, time);
  if (is_clear_offset(behind) && word.size > 1 && word.size <= kMostCapitals &&
      (behind.peek() == '+' || behind.peek(3) == ':'))
    return true;
  if (word.text() == "GET" && ends_time(name, behind)) return true;
  if (!is_last(behind) || word.size > kMostCapitals || is_word_of_logs(word.text())) return false;
  const bool is_short_zone = word.text() == "AT" || word.text() == "GB" || word.text() == "LT";
  return word.size > 2 || is_short_zone || (word.size == 2 && !name.is_behind_opening());
}

/// Whether it is a word with a capital that the bracket around the time has behind it, and none of logs or dates.
bool is_name_in_bracket(std::string_view name, const TimeCursor& cursor, const TimeCursor& behind) {
  if (!is_capital(name.front()) || name.size() < 3 || !ends_time(cursor, behind)) return false;
  TimeCursor date = cursor;
  unsigned month = 0;
  return !is_word_of_logs(UpperWord(name).text()) && !date.take_weekday() && !date.take_month(month);
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

}  // namespace

bool is_at_bare_offset(TimeCursor cursor) {
  const std::size_t digits = cursor.digits_ahead();
  unsigned hours = 0;
  unsigned minutes = 0;
  if (!cursor.take_number(2, hours) || hours > 14) return false;
  if (digits < 3 && cursor.peek() != ':') return is_last(cursor);
  if (digits < 3) cursor.skip();
  return cursor.take_digits(2, minutes) && minutes < 60 && !cursor.goes_on();
}

bool is_at_last_place(const TimeCursor& cursor) {
  const std::size_t size = name_size(cursor);
  if (size == 0) return false;
  const std::string_view name = cursor.ahead(size);
  TimeCursor behind = cursor;
  skip_bytes(behind, size);
  return is_last(behind) && (is_capital(name.front()) || name == "local") && is_zone_place(name);
}

bool is_meant_as_zone(const TimeCursor& cursor, const CivilTime& time) {
  const std::size_t letters = cursor.letters_ahead();
  TimeCursor behind = cursor;
  skip_bytes(behind, letters);
  const UpperWord word(cursor.ahead(letters));
  if (behind.peek() == ' ' && TimeCursor::is_letter(behind.peek(1))) return is_name_in_text(word, behind, time);
  const std::size_t size = name_size(cursor);
  TimeCursor name_end = cursor;
  skip_bytes(name_end, size);
  if (is_at_router_message(name_end)) return true;
  if (letters == 1 && behind.peek() == '.') return is_at_letters_with_points(cursor);
  if (is_at_last_place(cursor)) return true;
  if (behind.peek() == '-' && is_capital(cursor.peek()) && is_zone_place(cursor.ahead(size))) return true;  // NZ-CHAT
  if (is_digit(behind.peek()) || behind.peek() == '_') return false;
  if (word.size > 0 && word.has_capitals_only) return is_name_in_capitals(word, cursor, behind, time);
  if (is_name_in_bracket(cursor.ahead(size), cursor, name_end)) return true;
  return is_name_in_text(word, behind, time) || (is_zone_word(word.text()) && is_last(behind));
}

}  // namespace sortie
