// Reads the parts of a written time from left to right. Each take function either takes what it is named after, or
// takes nothing and returns false. It reads each byte of the text once, so that bytes that change meanwhile make
// another time, but nothing worse. Used by the readers of written times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "record/text/byte_words.hpp"

namespace sortie {

/// Three letters as one number.
constexpr unsigned three_letters(char a, char b, char c) {
  return static_cast<unsigned>(a) | static_cast<unsigned>(b) << 8 | static_cast<unsigned>(c) << 16;
}
inline constexpr std::array kMonthNames = {
    three_letters('j', 'a', 'n'), three_letters('f', 'e', 'b'), three_letters('m', 'a', 'r'),
    three_letters('a', 'p', 'r'), three_letters('m', 'a', 'y'), three_letters('j', 'u', 'n'),
    three_letters('j', 'u', 'l'), three_letters('a', 'u', 'g'), three_letters('s', 'e', 'p'),
    three_letters('o', 'c', 't'), three_letters('n', 'o', 'v'), three_letters('d', 'e', 'c')};
inline constexpr std::array kWeekdayNames = {three_letters('s', 'u', 'n'), three_letters('m', 'o', 'n'),
                                             three_letters('t', 'u', 'e'), three_letters('w', 'e', 'd'),
                                             three_letters('t', 'h', 'u'), three_letters('f', 'r', 'i'),
                                             three_letters('s', 'a', 't')};

/// Zones whose names say the same everywhere. CST, say, is a zone of China, too, but mail and date(1) take these.
struct NamedZone {
  std::string_view name;
  std::int32_t hours;  // east of UTC
};
inline constexpr std::array kNamedZones = std::to_array<NamedZone>({{"Z", 0},
                                                                    {"UTC", 0},
                                                                    {"GMT", 0},
                                                                    {"EST", -5},
                                                                    {"EDT", -4},
                                                                    {"CST", -6},
                                                                    {"CDT", -5},
                                                                    {"MST", -7},
                                                                    {"MDT", -6},
                                                                    {"PST", -8},
                                                                    {"PDT", -7}});

/// A fraction of a second from its digits. Those behind the eighteenth do not count.
class FractionDigits {
 public:
  void append(unsigned digit) {
    attoseconds_ += digit * unit_;
    unit_ /= 10;
  }
  std::uint64_t attoseconds() const { return attoseconds_; }

 private:
  std::uint64_t attoseconds_ = 0;
  std::uint64_t unit_ = 100'000'000'000'000'000;
};

class TimeCursor {
 public:
  /// `separator`: of fields, as in TextOrder. A time may span several.
  explicit TimeCursor(std::string_view text, std::string_view separator = {})
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), separator_(separator) {}

  std::size_t taken() const { return static_cast<std::size_t>(at_ - begin_); }
  /// The byte `ahead` bytes behind what was taken; NUL if there is none.
  char peek(std::size_t ahead = 0) const { return ahead < static_cast<std::size_t>(end_ - at_) ? at_[ahead] : '\0'; }

  bool take(char wanted) {
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }

  /// The same, but stops at a tab that separates fields.
  void skip_blanks_in_field() {
    while (at_ != end_ && (*at_ == ' ' || (*at_ == '\t' && separator_ != "\t"))) ++at_;
  }

  /// Takes what may stand between a date and a time of day: blanks, and among them one comma or separator of fields.
  bool take_gap() {
    const char* const first = at_;
    skip_blanks();
    if (!take_separator()) take(',');
    skip_blanks();
    return at_ != first;
  }

  void skip() { at_ += at_ != end_ ? 1 : 0; }

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

  /// Takes the first three letters of an English month, in either case.
  bool take_month(unsigned& month) {
    const int found = find_name(kMonthNames);
    if (found < 0) return false;
    month = static_cast<unsigned>(found) + 1;
    at_ += 3;
    return true;
  }

  /// The same for a day of the week.
  bool take_weekday() {
    if (find_name(kWeekdayNames) < 0) return false;
    at_ += 3;
    return true;
  }

  void skip_letters() {
    while (at_ != end_ && is_letter(*at_)) ++at_;
  }

  /// Takes `word`, in either case.
  bool take_word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if ((at_[i] | 0x20) != (word[i] | 0x20)) return false;
    }
    at_ += word.size();
    return true;
  }

  /// Takes AM or PM, in either case.
  bool take_half_of_day(bool& is_afternoon) {
    is_afternoon = take_word("PM");
    return is_afternoon || take_word("AM");
  }

  /// Takes a zone: a name of RFC 5322, in either case, or UTC, +hhmm, +hh:mm or +hh.
  bool take_zone(std::int32_t& zone_seconds) {
    for (const NamedZone& zone : kNamedZones) {
      if (!take_word(zone.name)) continue;
      zone_seconds = zone.hours * 3600;
      return true;
    }
    TimeCursor zone = *this;
    const bool is_west = zone.take('-');
    if (!is_west && !zone.take('+')) return false;
    unsigned hours = 0;
    unsigned minutes = 0;
    if (!zone.take_digits(2, hours)) return false;
    if (zone.peek() == ':' && is_digit(zone.peek(1))) zone.take(':');
    zone.take_digits(2, minutes);
    if (hours > 23 || minutes > 59 || is_digit(zone.peek())) return false;
    const auto seconds = static_cast<std::int32_t>(hours * 3600 + minutes * 60);
    zone_seconds = is_west ? -seconds : seconds;
    at_ = zone.at_;
    return true;
  }

  static bool is_letter(char byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

 private:
  bool take_separator() {
    const std::size_t size = separator_.size();
    if (size == 0 || static_cast<std::size_t>(end_ - at_) < size) return false;
    if (std::string_view(at_, size) != separator_) return false;
    at_ += size;
    return true;
  }

  static unsigned digit_of(char byte) { return static_cast<unsigned char>(byte) - unsigned{'0'}; }

  template <std::size_t kCount>
  int find_name(const std::array<unsigned, kCount>& names) const {
    if (end_ - at_ < 3 || !is_letter(at_[0])) return -1;
    const unsigned name = three_letters(static_cast<char>(at_[0] | 0x20), static_cast<char>(at_[1] | 0x20),
                                        static_cast<char>(at_[2] | 0x20)) &
                          0xFFFFFF;
    for (std::size_t i = 0; i < kCount; ++i) {
      if (names[i] == name) return static_cast<int>(i);
    }
    return -1;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string_view separator_;
};

}  // namespace sortie
