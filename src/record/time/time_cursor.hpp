// Reads the parts of a written time from left to right. Each take function either takes what it is named after, or
// takes nothing and returns false. Bytes that change meanwhile make another time, but nothing worse. Used by the
// readers of written times.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "record/text/byte_words.hpp"
#include "record/time/civil_time.hpp"
#include "record/time/time_names.hpp"

namespace sortie {

class TimeZones;

class TimeCursor {
 public:
  /// `separator`: of fields, as in TextOrder. A time may span several.
  explicit TimeCursor(std::string_view text, std::string_view separator = {}, const TimeZones* zones = nullptr)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), separator_(separator), zones_(zones) {}

  /// What is known of zones beside the usual ones; null: nothing.
  const TimeZones* zones() const { return zones_; }
  bool is_at_end() const { return at_ == end_; }

  std::size_t taken() const { return static_cast<std::size_t>(at_ - begin_); }
  /// Goes back to where so many bytes were taken.
  void go_back(std::size_t taken) { at_ = begin_ + taken; }
  /// The byte `ahead` bytes behind what was taken; NUL if there is none.
  char peek(std::size_t ahead = 0) const { return ahead < static_cast<std::size_t>(end_ - at_) ? at_[ahead] : '\0'; }

  bool take(char wanted) {
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  void skip_blanks() {
    while (at_ != end_) {
      if (*at_ == ' ' || *at_ == '\t') {
        ++at_;
      } else if (const std::size_t size = wide_blank_size(); size > 0) {
        at_ += size;
      } else {
        break;
      }
    }
  }

  /// The same, but stops at a tab that separates fields.
  void skip_blanks_in_field() {
    while (at_ != end_ && (*at_ != '\t' || separator_ != "\t")) {
      const char* const first = at_;
      if (*at_ == ' ' || *at_ == '\t') {
        ++at_;
      } else {
        at_ += wide_blank_size();
      }
      if (at_ == first) return;
    }
  }

  /// Skips blanks, brackets and quotes that may stand in front of a time.
  void skip_opening() {
    if (at_ != end_ && (is_digit(*at_) || is_letter(*at_))) return;
    skip_blanks();
    while (at_ != end_ && is_opening(*at_)) {
      ++at_;
      skip_blanks();
    }
  }

  /// Whether a bracket or quote ends here, or the text.
  bool is_at_closing() const { return at_ == end_ || is_closing(*at_); }
  /// Whether a bracket or quote opens right in front of this.
  bool is_behind_opening() const { return at_ != begin_ && is_opening(at_[-1]); }
  /// The first byte of the text, taken or not; NUL if there is none.
  char first() const { return begin_ != end_ ? *begin_ : '\0'; }
  bool is_at_opening() const { return at_ != end_ && is_opening(*at_); }

  bool is_at_blank() const { return at_ != end_ && (*at_ == ' ' || *at_ == '\t' || wide_blank_size() > 0); }

  bool is_at_separator() const {
    const std::size_t size = separator_.size();
    return size > 0 && static_cast<std::size_t>(end_ - at_) >= size && std::string_view(at_, size) == separator_;
  }

  /// Takes what may stand between a date and a time of day: blanks, and among them one comma or separator of fields,
  /// or "at", between brackets and quotes that end and begin.
  bool take_gap() {
    if (peek() == ' ' && is_digit(peek(1))) {
      ++at_;
      return true;
    }
    const char* const first = at_;
    while (at_ != end_ && is_closing(*at_)) ++at_;
    skip_blanks();
    if (!take_separator()) take(',');
    skip_blanks();
    if (at_ != first && ((peek(2) == ' ' && take_word("at")) || (peek(1) == ' ' && take('@')))) skip_blanks();
    skip_opening();
    return at_ != first;
  }

  /// Takes what stands between a field and the next: a separator, and quotes, brackets and blanks beside it.
  bool take_field_gap() {
    if (separator_.empty()) return false;
    TimeCursor next = *this;
    while (next.at_ != next.end_ && is_closing(*next.at_)) ++next.at_;
    next.skip_blanks_in_field();
    if (!next.take_separator()) return false;
    next.skip_opening();
    *this = next;
    return true;
  }

  /// Takes one mark that may stand between the parts of a time: a bracket or quote, or one of ",;|/_-:@.=".
  bool take_mark() {
    if (at_ == end_ || is_at_separator()) return false;
    if (!is_opening(*at_) && !is_closing(*at_) && !is_at_one_of(",;|/_-:@.=")) return false;
    ++at_;
    return true;
  }

  /// Skips so many bytes, or what is left.
  void skip(std::size_t bytes = 1) { at_ += std::min(bytes, static_cast<std::size_t>(end_ - at_)); }

  /// Bytes of the plus or minus that comes next, which may be the minus of typesetters; 0: there is none.
  std::size_t sign_size() const {
    if (peek() == '+' || peek() == '-') return 1;
    return peek() == '\xE2' && peek(1) == '\x88' && peek(2) == '\x92' ? 3 : 0;
  }
  /// Whether a sign and a digit come next.
  bool is_at_offset() const {
    const std::size_t sign = sign_size();
    return sign > 0 && is_digit(peek(sign));
  }

  bool is_at_one_of(std::string_view bytes) const { return at_ != end_ && bytes.find(*at_) != bytes.npos; }

  /// Whether a word cannot end here.
  bool goes_on() const { return is_digit(peek()) || is_letter(peek()); }

  /// Takes `count` digits, which must be there.
  bool take_digits(unsigned count, unsigned& value) {
    if (static_cast<std::size_t>(end_ - at_) < count) return false;
    unsigned number = 0;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned digit = digit_of(at_[i]);
      if (digit > 9) return false;
      number = number * 10 + digit;
    }
    value = number;
    at_ += count;
    return true;
  }

  /// Takes as many digits as there are, from one to `most`.
  bool take_number(unsigned most, unsigned& value) {
    unsigned number = 0;
    unsigned count = 0;
    for (; count < most && at_ + count != end_; ++count) {
      const unsigned digit = digit_of(at_[count]);
      if (digit > 9) break;
      number = number * 10 + digit;
    }
    if (count == 0) return false;
    value = number;
    at_ += count;
    return true;
  }

  /// How many digits come next.
  std::size_t digits_ahead() const {
    const char* digit = at_;
    while (digit != end_ && digit_of(*digit) <= 9) ++digit;
    return static_cast<std::size_t>(digit - at_);
  }

  /// Takes the next digit, which must be there.
  unsigned take_digit() { return digit_of(*at_++) % 10; }

  /// Takes the digits of a fraction of a second, at least one.
  bool take_fraction(std::uint64_t& attoseconds) {
    FractionDigits digits;
    const char* const first = at_;
    for (; at_ != end_; ++at_) {
      const unsigned digit = digit_of(*at_);
      if (digit > 9) break;
      digits.append(digit);
    }
    if (at_ == first) return false;
    attoseconds = digits.attoseconds();
    return true;
  }

  /// How many letters come next.
  std::size_t letters_ahead() const {
    const char* letter = at_;
    while (letter != end_ && is_letter(*letter)) ++letter;
    return static_cast<std::size_t>(letter - at_);
  }

  /// The bytes that come next. Precondition: there are as many.
  std::string_view ahead(std::size_t bytes) const { return {at_, bytes}; }

  /// Takes the English name of a month, or its first three letters, in either case, and a point behind these.
  bool take_month(unsigned& month) {
    const int found = take_name(kMonthNames, kMonthEnds);
    if (found < 0) return false;
    month = static_cast<unsigned>(found) + 1;
    return true;
  }

  /// The same for a day of the week.
  bool take_weekday() { return take_name(kWeekdayNames, kWeekdayEnds) >= 0; }

  /// Takes `word`, in either case.
  bool take_word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if ((at_[i] | 0x20) != (word[i] | 0x20)) return false;
    }
    at_ += word.size();
    return true;
  }

  /// Takes AM or PM, or a.m. or p.m., in either case.
  bool take_day_period(bool& is_afternoon) {
    const char letter = static_cast<char>(peek() | 0x20);
    if (letter != 'a' && letter != 'p') return false;
    std::size_t size = 1;
    const bool has_points = peek(size) == '.';
    if (has_points) size += peek(2) == ' ' ? 2 : 1;
    if ((peek(size) | 0x20) != 'm') return false;
    ++size;
    if (has_points && peek(size) == '.') ++size;
    is_afternoon = letter == 'p';
    at_ += size;
    return true;
  }

  bool take_separator() {
    if (!is_at_separator()) return false;
    at_ += separator_.size();
    return true;
  }

  static bool is_letter(char byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

 private:
  static unsigned digit_of(char byte) { return static_cast<unsigned char>(byte) - unsigned{'0'}; }

  static bool is_opening(char byte) {
    return byte == '[' || byte == '(' || byte == '{' || byte == '<' || byte == '*' || is_quote(byte);
  }
  static bool is_closing(char byte) {
    return byte == ']' || byte == ')' || byte == '}' || byte == '>' || is_quote(byte);
  }
  static bool is_quote(char byte) { return byte == '"' || byte == '\'' || byte == '`'; }

  /// Bytes of a blank that is no ASCII and does not break lines, as formatters of dates write it; 0: there is none.
  std::size_t wide_blank_size() const {
    if (*at_ == '\xC2') return peek(1) == '\xA0' ? 2 : 0;
    return *at_ == '\xE2' && peek(1) == '\x80' && peek(2) == '\xAF' ? 3 : 0;
  }

  bool has_word_at(std::size_t ahead, std::string_view word, std::size_t letters) const {
    if (letters != ahead + word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if ((at_[ahead + i] | 0x20) != word[i]) return false;
    }
    return true;
  }

  template <std::size_t kCount>
  int take_name(const std::array<unsigned, kCount>& names, const std::array<NameEnd, kCount>& ends) {
    const std::size_t letters = letters_ahead();
    if (letters < 3) return -1;
    const unsigned name = three_letters(static_cast<char>(at_[0] | 0x20), static_cast<char>(at_[1] | 0x20),
                                        static_cast<char>(at_[2] | 0x20));
    for (std::size_t i = 0; i < kCount; ++i) {
      if (names[i] != name) continue;
      const bool is_short = letters == 3 || (!ends[i].other.empty() && has_word_at(3, ends[i].other, letters));
      if (!is_short && !has_word_at(3, ends[i].full, letters)) return -1;
      at_ += letters;
      if (is_short) take('.');
      return static_cast<int>(i);
    }
    return -1;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string_view separator_;
  const TimeZones* zones_;
};

}  // namespace sortie
