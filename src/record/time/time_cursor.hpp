// Reads the parts of a written time from left to right. Each take function either takes what it is named after, or
// takes nothing and returns false. Bytes that change meanwhile make another time, but nothing worse. Used by the
// readers of written times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "record/text/byte_words.hpp"
#include "record/time/civil_time.hpp"

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

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string_view separator_;
  const TimeZones* zones_;
};

}  // namespace sortie
