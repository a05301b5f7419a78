#include "record/text/number_key.hpp"

#include <algorithm>
#include <cstdint>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

constexpr unsigned kZeroByte = 0x80;
constexpr std::uint64_t kMaxShortCount = 96;  // integral digits; more are counted in bytes of their own
constexpr int kLongCountBytes = 10;           // with 6 bits each
constexpr unsigned char kFirstPair = 0x10;
constexpr unsigned char kLastPair = kFirstPair + 99;
constexpr unsigned char kNegativeEndByte = 0x80;  // greater than all pairs: -1 comes after -1.5

std::byte* put(std::byte* out, std::uint64_t byte) {
  *out = static_cast<std::byte>(byte);
  return out + 1;
}

std::byte* write_count(std::uint64_t count, bool negative, std::byte* out) {
  if (count <= kMaxShortCount) return put(out, negative ? kZeroByte - 1 - count : kZeroByte + 1 + count);
  out = put(out, negative ? kZeroByte - 2 - kMaxShortCount : kZeroByte + 2 + kMaxShortCount);
  for (int digit = kLongCountBytes - 1; digit >= 0; --digit) {
    const std::uint64_t bits = (count >> (6 * digit)) & 0x3F;
    out = put(out, 0x20 + (negative ? 0x3F - bits : bits));
  }
  return out;
}

/// The parts of a number of any length.
struct Number {
  std::string_view integral;  ///< without leading zeros; thousands separators are in it
  std::string_view fraction;  ///< without trailing zeros
  std::uint64_t integral_digits = 0;
  std::size_t end = 0;  ///< offset behind all of it
  bool negative = false;
};

/// `text` begins behind blanks.
Number read_number(std::string_view text, const TextLocale& locale) {
  const auto separates = [&](char byte) { return locale.thousands_separator == static_cast<unsigned char>(byte); };
  Number number;
  std::size_t at = 0;
  if (!text.empty() && text[0] == '-') {
    number.negative = true;
    at = 1;
  }
  while (at < text.size() && (text[at] == '0' || separates(text[at]))) ++at;
  const std::size_t integral = at;
  for (; at < text.size() && (is_digit(text[at]) || separates(text[at])); ++at) {
    number.integral_digits += is_digit(text[at]) ? 1 : 0;
  }
  number.integral = text.substr(integral, at - integral);
  number.end = at;
  if (at == text.size() || static_cast<unsigned char>(text[at]) != locale.decimal_point) return number;
  const std::size_t fraction = at + 1;
  std::size_t end = fraction;
  for (at = fraction; at < text.size() && is_digit(text[at]); ++at) {
    if (text[at] != '0') end = at + 1;
  }
  number.end = at;
  number.fraction = text.substr(fraction, end - fraction);
  return number;
}

/// Takes digits one by one and writes pairs. Takes any byte: what was a digit may have changed since.
class PairWriter {
 public:
  PairWriter(bool negative, std::byte* out) : out_(out), negative_(negative) {}

  void add(char digit) {
    const unsigned value = std::min(static_cast<unsigned>(digit - '0'), 9U);
    if (half_) {
      write(tens_ + value);
    } else {
      tens_ = 10 * value;
    }
    half_ = !half_;
  }

  std::byte* finish() {
    if (half_) write(tens_);
    return out_;
  }

 private:
  void write(unsigned pair) { out_ = put(out_, negative_ ? kLastPair - pair : kFirstPair + pair); }

  std::byte* out_;
  unsigned tens_ = 0;
  bool half_ = false;
  bool negative_;
};

std::byte* write_any_number(std::string_view text, const TextLocale& locale, std::byte* out) {
  const Number number = read_number(text, locale);
  if (number.integral_digits == 0 && number.fraction.empty()) return put(out, kZeroByte);
  PairWriter pairs(number.negative, write_count(number.integral_digits, number.negative, out));
  for (const char byte : number.integral) {
    if (is_digit(byte)) pairs.add(byte);
  }
  for (const char digit : number.fraction) pairs.add(digit);
  out = pairs.finish();
  return number.negative ? put(out, kNegativeEndByte) : out;
}

/// How many of the eight bytes are digits in front of the first that is none.
std::size_t leading_digits(std::uint64_t word) {
  const std::uint64_t others = ((word + every_byte(0x46)) | (word - every_byte('0')) | word) & kHighBits;
  return others == 0 ? 8 : first_byte(others);
}

/// Eight digits as four pairs in the low bytes, the first pair lowest.
std::uint64_t pack_pairs(std::uint64_t digits) {
  const std::uint64_t values = digits & every_byte(0x0F);
  std::uint64_t pairs = (values * 10 + (values >> 8)) & 0x00FF00FF00FF00FFU;
  pairs = (pairs | pairs >> 8) & 0x0000FFFF0000FFFFU;
  return (pairs | pairs >> 16) & 0xFFFFFFFFU;
}

/// The first 16 bytes of text, as two words; missing bytes are 0.
struct Head {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  Head(const char* text, std::size_t readable) {
    if (readable >= 16) {
      first = load_as<std::uint64_t>(text);
      second = load_as<std::uint64_t>(text + 8);
    } else if (readable >= 8) {
      first = load_as<std::uint64_t>(text);
      second = load_last(text + readable, readable - 8, readable);
    } else {
      first = load_few(text, readable);
    }
  }
};

/// The pairs of `count` < 16 digits, those behind them 0.
std::uint64_t pairs_of(const Head& head, std::size_t count) {
  if (count <= 8) return pack_pairs(count == 8 ? head.first : head.first & low_bytes(count));
  return pack_pairs(head.first) | pack_pairs(head.second & low_bytes(count - 8)) << 32;
}

constexpr std::string_view kSuffixes = "KMGTPEZY";
constexpr int kNoSuffix = 0x40;

int position_of_suffix(char suffix) {
  const std::size_t position = kSuffixes.find(suffix == 'k' ? 'K' : suffix);
  return position == std::string_view::npos ? 0 : static_cast<int>(position) + 1;
}

/// Where a number without sign ends for GNU sort, if a suffix may follow it or it is to be shown: behind its digits,
/// before a thousands separator that no digit follows. 0: there is no digit.
std::size_t end_of_number(std::string_view text, const TextLocale& locale) {
  const auto digit_at = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  const auto is = [&](std::size_t at, unsigned char byte) {
    return at < text.size() && static_cast<unsigned char>(text[at]) == byte;
  };
  std::size_t at = 0;
  while (digit_at(at)) {
    ++at;
    if (locale.thousands_separator == TextLocale::kNoSeparator || !is(at, locale.thousands_separator)) continue;
    if (!digit_at(at + 1)) return at;
    ++at;
  }
  if (!is(at, locale.decimal_point)) return at;
  const bool has_digits = at > 0 || digit_at(at + 1);
  for (++at; digit_at(at); ++at) {
  }
  return has_digits ? at : 0;
}

/// The position of the suffix of a number without sign; 0 if the number is zero or has none.
int position_of_number(std::string_view text, const TextLocale& locale) {
  const std::size_t end = end_of_number(text, locale);
  const bool is_zero = text.substr(0, end).find_first_of("123456789") == std::string_view::npos;
  return is_zero || end == text.size() ? 0 : position_of_suffix(text[end]);
}

}  // namespace

std::byte* write_number_key(std::string_view text, std::size_t readable, const TextLocale& locale, std::byte* out) {
  std::size_t begin = 0;
  while (begin < text.size() && locale.is_blank(text[begin])) ++begin;
  const bool negative = begin < text.size() && text[begin] == '-';
  const std::size_t sign = negative ? 1 : 0;
  // Integers of up to 15 digits are read as two words; all else digit by digit.
  const std::string_view digits = text.substr(begin + sign);
  const Head head(digits.data(), readable - begin - sign);
  std::size_t count = leading_digits(head.first);
  if (count == 8) count += leading_digits(head.second);
  count = std::min(count, digits.size());
  const unsigned next = count < digits.size() ? static_cast<unsigned char>(digits[count]) : 0U;
  const bool more = next == locale.decimal_point || next == locale.thousands_separator;
  if (count == 0 || count == 16 || digits[0] == '0' || more) return write_any_number(text.substr(begin), locale, out);
  const std::uint64_t pairs = pairs_of(head, count);
  out = put(out, negative ? kZeroByte - 1 - count : kZeroByte + 1 + count);
  store_as(out, negative ? every_byte(kLastPair) - pairs : every_byte(kFirstPair) + pairs);
  out += (count + 1) / 2;
  return negative ? put(out, kNegativeEndByte) : out;
}

NumberExtent extent_before(std::string_view rest, const TextLocale& locale) {
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return behind_blanks(rest, locale).empty() ? NumberExtent::kAll : NumberExtent::kPart;
}

NumberExtent extent_of_number(std::string_view text, const TextLocale& locale, bool has_suffix) {
  text = behind_blanks(text, locale);
  std::size_t end = read_number(text, locale).end;
  if (std::ranges::none_of(text.substr(0, end), is_digit)) return NumberExtent::kNone;
  if (has_suffix && end < text.size() && position_of_suffix(text[end]) != 0) ++end;
  return extent_before(text.substr(end), locale);
}

std::size_t shown_number_bytes(std::string_view text, const TextLocale& locale, bool has_suffix) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t end = end_of_number(text.substr(sign), locale);
  if (end == 0) return 0;
  const bool suffix = has_suffix && sign + end < text.size() && position_of_suffix(text[sign + end]) != 0;
  return sign + end + (suffix ? 1 : 0);
}

std::byte* write_human_key(std::string_view text, const TextLocale& locale, std::byte* out) {
  text = behind_blanks(text, locale);
  const bool negative = !text.empty() && text[0] == '-';
  const int position = position_of_number(text.substr(negative ? 1 : 0), locale);
  *out = static_cast<std::byte>(kNoSuffix + (negative ? -position : position));
  return write_number_key(text, text.size(), locale, out + 1);
}

}  // namespace sortie
