// Decimal numbers that are added and compared exactly, so that a sum does not depend on the order of its addends.
// Nearly all fit 128 bits; those that do not become integers of any length. Used by the states of groups.
//
//   value = mantissa / 10^scale          scale: digits behind the decimal point
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sortie {

class StateReader;
class StateWriter;

class ExactDecimal {
 public:
  /// Digits in front of the decimal point of a number that is written without exponent, and digits behind it; numbers
  /// with more are refused.
  static constexpr std::size_t kMostDigits = 1000;
  /// Significant digits of a mean.
  static constexpr int kMeanDigits = 17;

  enum class Reading : std::uint8_t {
    kNumber,
    kNoNumber,
    kTooLong,  ///< more than kMostDigits
  };

  ExactDecimal();  ///< 0
  ~ExactDecimal();
  ExactDecimal(ExactDecimal&& other) noexcept;
  ExactDecimal& operator=(ExactDecimal&& other) noexcept;
  ExactDecimal(const ExactDecimal&) = delete;
  ExactDecimal& operator=(const ExactDecimal&) = delete;

  /// Takes the value of `text`: a sign, digits, a decimal point and an exponent, of which digits alone must be there.
  Reading read(std::string_view text);
  /// Takes what write() has written. Throws Error if that is damaged.
  void read(StateReader& state);
  void write(StateWriter& state) const;

  void set_zero() {
    small_ = 0;
    scale_ = 0;
    if (large_) drop_large();
  }
  /// The scale of the sum is the greater one.
  void add(const ExactDecimal& term);
  /// Negative, zero or positive.
  int compare(const ExactDecimal& other) const;

  /// Appends the value with all its digits, without exponent.
  void append_to(std::string& out) const;
  /// Appends the value divided by `count`, rounded to kMeanDigits digits, of two that are as near the even one; without
  /// exponent, and without zeros at the end of its decimals. Precondition: count > 0.
  void append_mean_to(std::string& out, std::uint64_t count) const;

 private:
  struct Large;

  bool read_few_digits(std::string_view text);
  void drop_large();
  bool add_small(const ExactDecimal& term);
  Large large_at(std::uint32_t scale) const;
  void set(const Large& large, std::uint32_t scale);
  void read_digits(std::string_view whole, std::string_view fraction, std::size_t zeros_behind);
  bool is_negative() const;

  __int128 small_ = 0;  // the mantissa, unless there is large_
  std::uint32_t scale_ = 0;
  std::unique_ptr<Large> large_;  // a mantissa that exceeds 128 bits
};

}  // namespace sortie
