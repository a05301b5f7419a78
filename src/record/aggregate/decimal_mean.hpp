// Means: the quotient of an exact sum and a count, rounded to kMeanDigits significant digits. Used by ExactDecimal.
#pragma once

#include <cstdint>
#include <string>

#include "record/aggregate/decimal_integers.hpp"

namespace sortie {

/// Appends value / count / 10^scale; of two roundings that are as near the even one; without exponent, and without
/// zeros at the end of its decimals. Precondition: value and count are greater than 0.
void append_mean(std::string& out, SmallMagnitude value, std::uint64_t count, std::uint32_t scale);
void append_mean(std::string& out, const LargeInteger& value, std::uint64_t count, std::uint32_t scale);

}  // namespace sortie
