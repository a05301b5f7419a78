#include <algorithm>
#include <cstddef>
#include <utility>

#include "record/aggregate/decimal_integers.hpp"
#include "record/aggregate/exact_decimal.hpp"

namespace sortie {
namespace {

/// Appends value / 10^scale without zeros at the end of its decimals. `scale` may be negative.
void append_shortest(std::string& out, std::uint64_t value, std::int64_t scale) {
  while (scale > 0 && value % 10 == 0) {
    value /= 10;
    --scale;
  }
  const std::size_t begin = out.size();
  append_digits(out, value);
  if (scale < 0) out.append(static_cast<std::size_t>(-scale), '0');
  set_point(out, begin, static_cast<std::size_t>(std::max<std::int64_t>(scale, 0)));
}

constexpr std::uint64_t kLeastMean = static_cast<std::uint64_t>(kPowersOfTen[ExactDecimal::kMeanDigits - 1]);

/// The quotient, rounded; of two that are as near the even one.
template <class Number>
std::uint64_t rounded_quotient(const Number& value, const Number& divisor) {
  const Number whole = value / divisor;
  const Number rest = value - whole * divisor;
  auto quotient = static_cast<std::uint64_t>(whole);
  const Number other = divisor - rest;
  if (rest > other || (rest == other && quotient % 2 != 0)) ++quotient;
  return quotient;
}

/// value / divisor as a number of kMeanDigits digits, or one more if it was rounded up, divided by 10^scale.
struct Mean {
  std::uint64_t digits;
  std::int64_t scale;
};

Mean mean_of(LargeInteger value, LargeInteger divisor) {
  const auto digits_of = [](const LargeInteger& number) { return static_cast<std::int64_t>(number.str().size()); };
  // The quotient has one digit less than the difference says, or as many.
  std::int64_t scale = ExactDecimal::kMeanDigits - (digits_of(value) - digits_of(divisor));
  if (scale > 0) value *= power_of_ten(static_cast<std::uint64_t>(scale));
  if (scale < 0) divisor *= power_of_ten(static_cast<std::uint64_t>(-scale));
  if (value / divisor >= 10 * LargeInteger(kLeastMean)) {
    divisor *= 10;
    --scale;
  }
  return {rounded_quotient(value, divisor), scale};
}

/// The same where nothing exceeds 128 bits: the divisor is below 2^64.
Mean mean_of(SmallMagnitude value, std::uint64_t count) {
  SmallMagnitude divisor = count;
  std::int64_t scale = 0;
  // A quotient of kMeanDigits digits times a divisor of 20 digits fits.
  while (value / divisor < kLeastMean) {
    value *= 10;
    ++scale;
  }
  while (value / divisor >= SmallMagnitude{kLeastMean} * 10) {
    divisor *= 10;
    --scale;
  }
  return {rounded_quotient(value, divisor), scale};
}

}  // namespace

void append_mean(std::string& out, SmallMagnitude value, std::uint64_t count, std::uint32_t scale) {
  const Mean mean = mean_of(value, count);
  append_shortest(out, mean.digits, mean.scale + scale);
}

void append_mean(std::string& out, const LargeInteger& value, std::uint64_t count, std::uint32_t scale) {
  const Mean mean = mean_of(value, LargeInteger(count));
  append_shortest(out, mean.digits, mean.scale + scale);
}

}  // namespace sortie
