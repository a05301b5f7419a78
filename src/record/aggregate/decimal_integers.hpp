// The integers that exact decimals are made of, and how their digits are written. Nearly all fit 128 bits.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>

namespace sortie {

using SmallInteger = __int128;
using SmallMagnitude = unsigned __int128;
using LargeInteger = boost::multiprecision::cpp_int;

/// 10^38 is the greatest power that fits.
inline constexpr std::size_t kSmallDigits = 38;
inline constexpr std::size_t kSmallBytes = sizeof(SmallInteger);

inline constexpr std::array<SmallInteger, kSmallDigits + 1> kPowersOfTen = [] {
  std::array<SmallInteger, kSmallDigits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

inline LargeInteger power_of_ten(std::uint64_t exponent) {
  return boost::multiprecision::pow(LargeInteger(10), static_cast<unsigned>(exponent));
}

inline void append_digits(std::string& out, SmallMagnitude value) {
  std::array<char, kSmallDigits + 1> digits;
  if (value <= std::numeric_limits<std::uint64_t>::max()) {
    const auto word = static_cast<std::uint64_t>(value);
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), word).ptr);
    return;
  }
  char* at = digits.data() + digits.size();
  do {
    *--at = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  out.append(at, digits.data() + digits.size());
}

/// Puts a decimal point into the digits that begin in `out` at `begin`, in front of the last `scale` of them.
inline void set_point(std::string& out, std::size_t begin, std::size_t scale) {
  if (scale == 0) return;
  const std::size_t size = out.size() - begin;
  if (size <= scale) out.insert(begin, scale + 1 - size, '0');
  out.insert(out.size() - scale, 1, '.');
}

// decimal_mean.cpp: the quotient of an exact sum and a count, rounded to ExactDecimal::kMeanDigits significant digits.

/// Appends value / count / 10^scale; of two roundings that are as near the even one; without exponent, and without
/// zeros at the end of its decimals. Precondition: value and count are greater than 0.
void append_mean(std::string& out, SmallMagnitude value, std::uint64_t count, std::uint32_t scale);
void append_mean(std::string& out, const LargeInteger& value, std::uint64_t count, std::uint32_t scale);

}  // namespace sortie
