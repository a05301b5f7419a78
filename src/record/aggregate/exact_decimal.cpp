#include "record/aggregate/exact_decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "record/aggregate/decimal_integers.hpp"
#include "record/aggregate/state_bytes.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

SmallMagnitude magnitude_of(SmallInteger value) {
  return value < 0 ? SmallMagnitude{0} - static_cast<SmallMagnitude>(value) : static_cast<SmallMagnitude>(value);
}

/// Multiplies by 10^digits. Returns false if the product does not fit.
bool shift_left(SmallInteger& value, std::uint64_t digits) {
  if (digits == 0 || value == 0) return true;
  return digits <= kSmallDigits &&
         !__builtin_mul_overflow(value, kPowersOfTen[static_cast<std::size_t>(digits)], &value);
}

/// Cuts an exponent off the front of `text`: one that is farther from 0 than any number may have counts as `most`.
/// Returns false if there is none although there must be one.
bool take_exponent(std::string_view& text, std::int64_t most, std::int64_t& exponent) {
  exponent = 0;
  if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return true;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return false;
  const auto status = std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec;
  if (status != std::errc()) exponent = most;
  exponent = std::min(exponent, most);
  if (negative) exponent = -exponent;
  return true;
}

}  // namespace

struct ExactDecimal::Large {
  LargeInteger mantissa;
};

ExactDecimal::ExactDecimal() = default;
ExactDecimal::~ExactDecimal() = default;
ExactDecimal::ExactDecimal(ExactDecimal&& other) noexcept = default;
ExactDecimal& ExactDecimal::operator=(ExactDecimal&& other) noexcept = default;

void ExactDecimal::drop_large() { large_.reset(); }

bool ExactDecimal::is_negative() const { return large_ ? large_->mantissa < 0 : small_ < 0; }

// Nearly all numbers. Returns false, and changes nothing, if it is another one.
bool ExactDecimal::read_few_digits(std::string_view text) {
  constexpr std::size_t kFewDigits = 18;
  if (text.empty() || text.size() > kFewDigits) return false;
  std::uint64_t word = 0;
  for (const char digit : text) {
    if (!is_digit(digit)) return false;
    word = word * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  set_zero();
  small_ = word;
  return true;
}

// The longest numbers have no more leading digits than their text has, so that the exponent cannot overflow.
ExactDecimal::Reading ExactDecimal::read(std::string_view text) {
  if (read_few_digits(text)) return Reading::kNumber;
  set_zero();
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return Reading::kNoNumber;
  const auto most = static_cast<std::int64_t>(whole.size() + fraction.size() + 2 * kMostDigits);
  std::int64_t exponent = 0;
  if (!take_exponent(text, most, exponent) || !text.empty()) return Reading::kNoNumber;
  whole.remove_prefix(std::min(whole.size(), whole.find_first_not_of('0')));
  const bool is_zero = whole.empty() && fraction.find_first_not_of('0') == std::string_view::npos;
  const std::int64_t decimals = static_cast<std::int64_t>(fraction.size()) - exponent;
  std::size_t digits = whole.size() + fraction.size();
  if (whole.empty() && !is_zero) digits -= fraction.find_first_not_of('0');
  const std::int64_t in_front = is_zero ? 0 : static_cast<std::int64_t>(digits) - decimals;
  constexpr auto kMost = static_cast<std::int64_t>(kMostDigits);
  if (decimals > kMost || in_front > kMost) return Reading::kTooLong;
  scale_ = static_cast<std::uint32_t>(std::max<std::int64_t>(decimals, 0));
  if (is_zero) return Reading::kNumber;
  read_digits(whole, fraction, static_cast<std::size_t>(std::max<std::int64_t>(-decimals, 0)));
  if (!negative) return Reading::kNumber;
  if (large_) {
    large_->mantissa = -large_->mantissa;
  } else {
    small_ = -small_;
  }
  return Reading::kNumber;
}

void ExactDecimal::read_digits(std::string_view whole, std::string_view fraction, std::size_t zeros_behind) {
  if (whole.empty()) fraction.remove_prefix(fraction.find_first_not_of('0'));
  if (whole.size() + fraction.size() + zeros_behind > kSmallDigits) {
    const std::string digits = std::string(whole).append(fraction).append(zeros_behind, '0');
    large_ = std::make_unique<Large>(Large{LargeInteger(digits)});
    const auto large = std::move(large_);
    set(*large, scale_);
    return;
  }
  constexpr std::size_t kWordDigits = 19;
  if (whole.size() + fraction.size() <= kWordDigits) {
    std::uint64_t word = 0;
    for (const char digit : whole) word = word * 10 + static_cast<std::uint64_t>(digit - '0');
    for (const char digit : fraction) word = word * 10 + static_cast<std::uint64_t>(digit - '0');
    small_ = word;
  } else {
    for (const char digit : whole) small_ = small_ * 10 + (digit - '0');
    for (const char digit : fraction) small_ = small_ * 10 + (digit - '0');
  }
  if (zeros_behind > 0) small_ *= kPowersOfTen[zeros_behind];
}

ExactDecimal::Large ExactDecimal::large_at(std::uint32_t scale) const {
  LargeInteger mantissa = large_ ? large_->mantissa : LargeInteger(small_);
  if (scale > scale_) mantissa *= power_of_ten(scale - scale_);
  return {std::move(mantissa)};
}

void ExactDecimal::set(const Large& large, std::uint32_t scale) {
  scale_ = scale;
  const LargeInteger magnitude = abs(large.mantissa);
  if (magnitude == 0 || msb(magnitude) < 8 * kSmallBytes - 1) {
    small_ = static_cast<SmallInteger>(large.mantissa);
    large_.reset();
  } else {
    large_ = std::make_unique<Large>(large);
  }
}

bool ExactDecimal::add_small(const ExactDecimal& term) {
  if (large_ || term.large_) return false;
  SmallInteger ours = small_;
  SmallInteger theirs = term.small_;
  const std::uint32_t scale = std::max(scale_, term.scale_);
  const bool are_alike = scale_ == term.scale_;
  if (!are_alike && (!shift_left(ours, scale - scale_) || !shift_left(theirs, scale - term.scale_))) return false;
  if (__builtin_add_overflow(ours, theirs, &ours)) return false;
  small_ = ours;
  scale_ = scale;
  return true;
}

void ExactDecimal::add(const ExactDecimal& term) {
  if (add_small(term)) return;
  const std::uint32_t scale = std::max(scale_, term.scale_);
  Large sum = large_at(scale);
  sum.mantissa += term.large_at(scale).mantissa;
  set(sum, scale);
}

int ExactDecimal::compare(const ExactDecimal& other) const {
  const std::uint32_t scale = std::max(scale_, other.scale_);
  if (!large_ && !other.large_) {
    SmallInteger ours = small_;
    SmallInteger theirs = other.small_;
    if (shift_left(ours, scale - scale_) && shift_left(theirs, scale - other.scale_)) {
      return ours < theirs ? -1 : ours > theirs ? 1 : 0;
    }
  }
  return large_at(scale).mantissa.compare(other.large_at(scale).mantissa);
}

// The number of bytes comes first, with the sign in its lowest bit; then the bytes of the magnitude, the low ones
// first.
void ExactDecimal::write(StateWriter& state) const {
  state.number(scale_);
  const std::uint64_t sign = is_negative() ? 1 : 0;
  if (large_) {
    std::vector<unsigned char> bytes;
    export_bits(LargeInteger(abs(large_->mantissa)), std::back_inserter(bytes), 8, false);
    state.number(2 * bytes.size() + sign);
    state.raw({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return;
  }
  SmallMagnitude magnitude = magnitude_of(small_);
  std::array<char, kSmallBytes> bytes;
  std::size_t size = 0;
  if (magnitude <= std::numeric_limits<std::uint64_t>::max()) {
    auto word = static_cast<std::uint64_t>(magnitude);
    for (; word != 0; word >>= 8) bytes[size++] = static_cast<char>(word);
  } else {
    for (; magnitude != 0; magnitude >>= 8) bytes[size++] = static_cast<char>(magnitude);
  }
  state.number(2 * size + sign);
  state.raw({bytes.data(), size});
}

void ExactDecimal::read(StateReader& state) {
  set_zero();
  const std::uint64_t scale = state.number();
  if (scale > kMostDigits) StateReader::refuse();
  scale_ = static_cast<std::uint32_t>(scale);
  const std::uint64_t size_and_sign = state.number();
  const std::string_view bytes = state.raw(size_and_sign / 2);
  const bool negative = size_and_sign % 2 != 0;
  if (bytes.size() < kSmallBytes) {
    SmallMagnitude magnitude = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) magnitude = magnitude << 8 | static_cast<unsigned char>(bytes[i]);
    small_ = negative ? -static_cast<SmallInteger>(magnitude) : static_cast<SmallInteger>(magnitude);
    return;
  }
  const auto* const begin = reinterpret_cast<const unsigned char*>(bytes.data());
  Large large;
  import_bits(large.mantissa, begin, begin + bytes.size(), 8, false);
  if (negative) large.mantissa = -large.mantissa;
  set(large, scale_);
}

void ExactDecimal::append_to(std::string& out) const {
  if (is_negative()) out += '-';
  const std::size_t begin = out.size();
  if (large_) {
    out += LargeInteger(abs(large_->mantissa)).str();
  } else {
    append_digits(out, magnitude_of(small_));
  }
  set_point(out, begin, scale_);
}

void ExactDecimal::append_mean_to(std::string& out, std::uint64_t count) const {
  if (!large_ && small_ == 0) {
    out += '0';
    return;
  }
  if (is_negative()) out += '-';
  if (large_) {
    append_mean(out, LargeInteger(abs(large_->mantissa)), count, scale_);
  } else {
    append_mean(out, magnitude_of(small_), count, scale_);
  }
}

}  // namespace sortie
