// Decimal numbers that are read, added, compared, divided and shown exactly. cli.groups compares sums and means with
// Python's.
#include "record/aggregate/exact_decimal.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>
#include <string>

#include <sortie/error.hpp>

#include "record/aggregate/state_bytes.hpp"

namespace sortie {
namespace {

using Reading = ExactDecimal::Reading;

ExactDecimal number(std::string_view text) {
  ExactDecimal value;
  EXPECT_EQ(value.read(text), Reading::kNumber) << text;
  return value;
}

std::string shown(const ExactDecimal& value) {
  std::string text;
  value.append_to(text);
  return text;
}

std::string sum(std::initializer_list<std::string_view> addends) {
  ExactDecimal total;
  for (const std::string_view addend : addends) total.add(number(addend));
  return shown(total);
}

std::string mean(std::string_view text, std::uint64_t count) {
  std::string out;
  number(text).append_mean_to(out, count);
  return out;
}

std::string round_trip(const ExactDecimal& value) {
  StateWriter state;
  value.write(state);
  StateReader reader({state.bytes().data(), state.bytes().size()});
  ExactDecimal read;
  read.read(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(read.compare(value), 0);
  return shown(read);
}

/// `front`, then `count` times `digit`, then `behind`.
std::string repeated(std::string_view front, std::size_t count, char digit, std::string_view behind = {}) {
  return std::string(front).append(count, digit).append(behind);
}

TEST(ExactDecimal, ReadsDecimalNumbersAndShowsThemWithoutExponent) {
  EXPECT_EQ(shown(number("0")), "0");
  EXPECT_EQ(shown(number("-0.00")), "0.00");
  EXPECT_EQ(shown(number("+007")), "7");
  EXPECT_EQ(shown(number(".5")), "0.5");
  EXPECT_EQ(shown(number("5.")), "5");
  EXPECT_EQ(shown(number("-12.340")), "-12.340");
  EXPECT_EQ(shown(number("1.5e3")), "1500");
  EXPECT_EQ(shown(number("1.5E+1")), "15");
  EXPECT_EQ(shown(number("-1.5e-3")), "-0.0015");
  EXPECT_EQ(shown(number("0e999999999999999999999")), "0");
  EXPECT_EQ(shown(number("123456789012345678901234567890123456789.5")), "123456789012345678901234567890123456789.5");
}

TEST(ExactDecimal, RefusesWhatIsNoDecimalNumber) {
  ExactDecimal value;
  for (const char* const text :
       {"", "-", ".", "e5", "1e", "1e+", "1 ", " 1", "1,5", "0x1F", "nan", "inf", "1e5e5", "--1", "1.2.3", "1_0"}) {
    EXPECT_EQ(value.read(text), Reading::kNoNumber) << text;
  }
}

TEST(ExactDecimal, RefusesTooManyDigitsOnEitherSideOfThePoint) {
  ExactDecimal value;
  EXPECT_EQ(value.read("1e999"), Reading::kNumber);
  EXPECT_EQ(value.read("1e1000"), Reading::kTooLong);
  EXPECT_EQ(value.read("0.1e1000"), Reading::kNumber);
  EXPECT_EQ(value.read("1e-1000"), Reading::kNumber);
  EXPECT_EQ(value.read("0.1e-1000"), Reading::kTooLong);
  EXPECT_EQ(value.read("1e99999999999999999999"), Reading::kTooLong);
  EXPECT_EQ(value.read("-1e-99999999999999999999"), Reading::kTooLong);
  EXPECT_EQ(value.read(repeated("", 2000, '0', "1")), Reading::kNumber);
  EXPECT_EQ(value.read(std::string(1001, '1')), Reading::kTooLong);
  EXPECT_EQ(value.read(repeated(".", 1001, '1')), Reading::kTooLong);
}

TEST(ExactDecimal, AddsExactlyWithTheDecimalsOfTheLongestAddend) {
  EXPECT_EQ(sum({}), "0");
  EXPECT_EQ(sum({"0.1", "0.2"}), "0.3");
  EXPECT_EQ(sum({"1", "-1.00"}), "0.00");
  EXPECT_EQ(sum({"1e20", "1", "-1e20"}), "1");
  EXPECT_EQ(sum({"1e40", "1e-40", "-1e40"}), repeated("0.", 39, '0', "1"));
  EXPECT_EQ(sum({"-0.01", "-0.99"}), "-1.00");
}

TEST(ExactDecimal, GoesOnBeyond128Bits) {
  // 2^127 - 1, and what follows.
  const std::string_view most = "170141183460469231731687303715884105727";
  EXPECT_EQ(sum({most, "1"}), "170141183460469231731687303715884105728");
  EXPECT_EQ(sum({most, "1", "-1"}), most);
  EXPECT_EQ(sum({"-170141183460469231731687303715884105728", "-1"}), "-170141183460469231731687303715884105729");
  EXPECT_EQ(sum({most, "0.1"}), std::string(most).append(".1"));
}

TEST(ExactDecimal, ComparesByValue) {
  EXPECT_EQ(number("1.0").compare(number("1")), 0);
  EXPECT_LT(number("-1e30").compare(number("-1")), 0);
  EXPECT_LT(number("0.999999999999999999999999999999999999999999").compare(number("1")), 0);
  EXPECT_GT(number("1e100").compare(number("1e99")), 0);
  EXPECT_LT(number("-1e100").compare(number("1e-100")), 0);
  EXPECT_EQ(number("1e38").compare(number("100000000000000000000000000000000000000.0")), 0);
}

TEST(ExactDecimal, RoundsMeansToSeventeenDigitsAndTiesToEven) {
  EXPECT_EQ(mean("0.00", 3), "0");
  EXPECT_EQ(mean("10", 4), "2.5");
  EXPECT_EQ(mean("1", 3), "0.33333333333333333");
  EXPECT_EQ(mean("-2", 3), "-0.66666666666666667");
  EXPECT_EQ(mean("200", 3), "66.666666666666667");
  EXPECT_EQ(mean("1e30", 1), repeated("1", 30, '0'));
  EXPECT_EQ(mean("1e30", 3), "333333333333333330000000000000");
  EXPECT_EQ(mean("12345678901234567", 1), "12345678901234567");
  EXPECT_EQ(mean("123456789012345665", 1), "123456789012345660");
  EXPECT_EQ(mean("123456789012345675", 1), "123456789012345680");
  EXPECT_EQ(mean("99999999999999999.5", 1), "100000000000000000");
  EXPECT_EQ(mean("1e-900", 1), repeated("0.", 899, '0', "1"));
  EXPECT_EQ(mean(repeated("1", 100, '0'), 3), repeated("33333333333333333", 83, '0'));
  EXPECT_EQ(mean("18446744073709551615", 18446744073709551615ULL), "1");
}

TEST(ExactDecimal, IsReadAsItWasWritten) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string text(random() % 2 == 0 ? "-" : "");
    for (std::size_t digits = 1 + random() % 60; digits > 0; --digits) text += static_cast<char>('0' + random() % 10);
    text += "." + std::to_string(random() % 1000);
    const ExactDecimal value = number(text);
    EXPECT_EQ(round_trip(value), shown(value));
  }
  for (const char* const text :
       {"0", "-1", "0.000", "255", "256", "1e999", "-1e-1000", "-170141183460469231731687303715884105728"}) {
    EXPECT_EQ(round_trip(number(text)), shown(number(text)));
  }
}

TEST(ExactDecimal, RefusesDamagedBytes) {
  ExactDecimal value;
  for (const std::string_view bytes : {"", "\x05", "\x00\x06xy", "\xff\xff\x01\x00"}) {
    StateReader reader(bytes);
    EXPECT_THROW(value.read(reader), Error);
  }
}

}  // namespace
}  // namespace sortie
