#include "base/size.hpp"

#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie {
namespace {

constexpr std::uint64_t kWhole = 1000;

std::uint64_t parse(std::string_view text) { return parse_size(text, "-S", kWhole); }

std::string message_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseSize, TakesPlainNumbersAsKibibytes) {
  EXPECT_EQ(parse("1"), 1024u);
  EXPECT_EQ(parse("0"), 0u);
  EXPECT_EQ(parse("007"), 7u * 1024);
}

TEST(ParseSize, KnowsEveryUnit) {
  EXPECT_EQ(parse("3b"), 3u);
  EXPECT_EQ(parse("3k"), 3u << 10);
  EXPECT_EQ(parse("3K"), 3u << 10);
  EXPECT_EQ(parse("3m"), 3u << 20);
  EXPECT_EQ(parse("3M"), 3u << 20);
  EXPECT_EQ(parse("3g"), 3u << 30);
  EXPECT_EQ(parse("3G"), std::uint64_t{3} << 30);
  EXPECT_EQ(parse("3T"), std::uint64_t{3} << 40);
  EXPECT_EQ(parse("3P"), std::uint64_t{3} << 50);
  EXPECT_EQ(parse("3E"), std::uint64_t{3} << 60);
}

TEST(ParseSize, TakesPercentOfTheWhole) {
  EXPECT_EQ(parse("0%"), 0u);
  EXPECT_EQ(parse("50%"), 500u);
  EXPECT_EQ(parse("100%"), 1000u);
  EXPECT_EQ(parse_size("33%", "-S", 199), 65u);
  EXPECT_EQ(parse_size("100%", "-S", UINT64_MAX), UINT64_MAX);
}

TEST(ParseSize, TakesTheLargestSizes) {
  EXPECT_EQ(parse("18446744073709551615b"), UINT64_MAX);
  EXPECT_EQ(parse("15E"), std::uint64_t{15} << 60);
}

TEST(ParseSize, RefusesWhatIsNoSizeAndNamesTheOption) {
  EXPECT_EQ(message_of(""), "invalid size '' for -S: give a number and a unit, for example 200M");
  EXPECT_EQ(message_of("x"), "invalid size 'x' for -S: give a number and a unit, for example 200M");
  EXPECT_EQ(message_of("-1"), "invalid size '-1' for -S: give a number and a unit, for example 200M");
  EXPECT_EQ(message_of("1.5G"), "invalid size '1.5G' for -S: the unit is one of b, K, M, G, T, P, E or %");
  EXPECT_EQ(message_of("1KB"), "invalid size '1KB' for -S: the unit is one of b, K, M, G, T, P, E or %");
  EXPECT_EQ(message_of("1Q"), "invalid size '1Q' for -S: the unit is one of b, K, M, G, T, P, E or %");
  EXPECT_EQ(message_of("101%"), "invalid size '101%' for -S: more than 100%");
}

TEST(ParseSize, RefusesWhatDoesNotFit64Bits) {
  EXPECT_EQ(message_of("16E"), "invalid size '16E' for -S: too large");
  EXPECT_EQ(message_of("18446744073709551616b"), "invalid size '18446744073709551616b' for -S: too large");
  EXPECT_EQ(message_of("18014398509481984"), "invalid size '18014398509481984' for -S: too large");
}

TEST(FormatSize, ShowsThreeSignificantDigits) {
  EXPECT_EQ(format_size(0), "0 B");
  EXPECT_EQ(format_size(999), "999 B");
  EXPECT_EQ(format_size(1000), "1.00 kB");
  EXPECT_EQ(format_size(1'500'000'000), "1.50 GB");
  EXPECT_EQ(format_size(12'340'000), "12.3 MB");
  EXPECT_EQ(format_size(123'400'000), "123 MB");
  EXPECT_EQ(format_size(UINT64_MAX), "18.4 EB");
}

TEST(FormatSize, MovesToTheNextUnitWhereRoundingWouldShowAThousand) {
  EXPECT_EQ(format_size(9'994), "9.99 kB");
  EXPECT_EQ(format_size(9'996), "10.0 kB");
  EXPECT_EQ(format_size(99'960), "100 kB");
  EXPECT_EQ(format_size(999'499), "999 kB");
  EXPECT_EQ(format_size(999'500), "1.00 MB");
}

TEST(Rounding, DividesAndRoundsToMultiples) {
  static_assert(divide_up(0, 4) == 0 && divide_up(1, 4) == 1 && divide_up(4, 4) == 1 && divide_up(5, 4) == 2);
  static_assert(round_up(5, 4) == 8 && round_up(8, 4) == 8);
  static_assert(round_down(7, 4) == 4 && round_down(8, 4) == 8);
}

}  // namespace
}  // namespace sortie
