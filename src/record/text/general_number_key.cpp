#include "record/text/number_key.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

// Key of a value: | kind | exponent, 2 digits | significant bits, 7 a byte, up to the last that is set |. Negative
// values have every digit mirrored and an end mark above all digits, so that fewer bits are greater.
enum Kind : char { kNoNumber = key_byte(0), kNan, kNegative, kZero, kPositive };
constexpr int kDigitBase = 224;
constexpr unsigned char kFirstDigit = 16;
constexpr char kNegativeEnd = static_cast<char>(kFirstDigit + kDigitBase);
constexpr int kLeastExponent = LDBL_MIN_EXP - LDBL_MANT_DIG;
static_assert(LDBL_MAX_EXP + 1 - kLeastExponent < kDigitBase * kDigitBase);

class DigitWriter {
 public:
  DigitWriter(bool negative, std::string& out) : negative_(negative), out_(out) {}

  void put(int digit) { out_.push_back(static_cast<char>(kFirstDigit + (negative_ ? kDigitBase - 1 - digit : digit))); }

 private:
  bool negative_;
  std::string& out_;
};

/// std::frexp() of a positive value. Where numbers are those of the x87 it needs no library of mathematics, which would
/// take a tenth of the time of a small sort to load: 64 significant bits, then 15 of the exponent.
long double split(long double value, int& exponent) {
#if LDBL_MANT_DIG == 64
  constexpr int kBias = 1 - LDBL_MIN_EXP;  // of the exponent of 0.5
  const bool is_subnormal = value < LDBL_MIN;
  if (is_subnormal) value *= 0x1p64L;
  std::uint16_t biased = 0;
  std::memcpy(&biased, reinterpret_cast<const char*>(&value) + 8, sizeof biased);
  exponent = biased - kBias - (is_subnormal ? 64 : 0);
  biased = kBias;
  std::memcpy(reinterpret_cast<char*>(&value) + 8, &biased, sizeof biased);
  return value;
#else
  return std::frexp(value, &exponent);
#endif
}

void append_finite(long double value, std::string& out) {
  const bool negative = value < 0;
  out.push_back(negative ? kNegative : kPositive);
  int exponent = 0;
  long double fraction = split(std::fabs(value), exponent);
  DigitWriter digits(negative, out);
  digits.put((exponent - kLeastExponent) / kDigitBase);
  digits.put((exponent - kLeastExponent) % kDigitBase);
  while (fraction != 0) {
    fraction *= 128;
    const int bits = static_cast<int>(fraction);
    fraction -= bits;
    digits.put(bits);
  }
  if (negative) {
    out.push_back(kNegativeEnd);
  }
}

void append_infinity(bool negative, std::string& out) {
  out.push_back(negative ? kNegative : kPositive);
  DigitWriter(negative, out).put(kDigitBase - 1);
}

/// GNU sort compares the bytes of NaNs in memory; here each of them becomes two bytes of the key.
void append_nan(long double value, std::string& out) {
  constexpr std::size_t kValueBytes = LDBL_MANT_DIG == 64 ? 10 : sizeof value;  // the rest is padding
  unsigned char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.push_back(kNan);
  for (std::size_t i = 0; i < kValueBytes; ++i) {
    out.push_back(static_cast<char>(kFirstDigit + bytes[i] / 16));
    out.push_back(static_cast<char>(kFirstDigit + bytes[i] % 16));
  }
}

void append_value(long double value, std::string& out) {
  if (std::isnan(value)) {
    append_nan(value, out);
  } else if (std::isinf(value)) {
    append_infinity(value < 0, out);
  } else if (value == 0) {
    out.push_back(kZero);
  } else {
    append_finite(value, out);
  }
}

void append_terminated(const char* text, const LocaleHandle& locale, std::string& out) {
  char* end = nullptr;
  const long double value = ::strtold_l(text, &end, locale.get());
  if (end == text) {
    out.push_back(kNoNumber);
  } else {
    append_value(value, out);
  }
}

}  // namespace

void append_general_number_key(std::string_view text, const LocaleHandle& locale, std::string& out) {
  char small[256];
  if (text.size() < sizeof small) {
    std::ranges::copy(text, small);
    small[text.size()] = '\0';
    append_terminated(small, locale, out);
  } else {
    append_terminated(std::string(text).c_str(), locale, out);
  }
}

std::size_t general_number_bytes(std::string_view text, const TextLocale& locale) {
  const std::string terminated(text);
  char* end = nullptr;
  static_cast<void>(::strtold_l(terminated.c_str(), &end, locale.handle.get()));
  return static_cast<std::size_t>(end - terminated.c_str());
}

NumberExtent extent_of_general_number(std::string_view text, const TextLocale& locale) {
  const std::size_t bytes = general_number_bytes(text, locale);
  return bytes == 0 ? NumberExtent::kNone : extent_before(text.substr(bytes), locale);
}

}  // namespace sortie
