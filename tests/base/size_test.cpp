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

TEST(ParseSize, TakesPlainNumbersAsBytesIfTheyAreTold) {
  EXPECT_EQ(parse_size("7", "--split-size", 0, 'b'), 7u);
  EXPECT_EQ(parse_size("7K", "--split-size", 0, 'b'), 7168u);
  EXPECT_THROW(parse_size("", "--split-size", 0, 'b'), Error);
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
  EXPECT_EQ(parse("18446744073709551614b"), UINT64_MAX - 1);
  EXPECT_EQ(parse("15E"), std::uint64_t{15} << 60);
  EXPECT_EQ(parse("0Y"), 0u);
}

TEST(ParseSize, TakesWhatGnuProgramsTake) {
  EXPECT_EQ(parse(" +2M"), 2u << 20);
  EXPECT_EQ(parse("k"), 1024u);
  EXPECT_EQ(parse("150%"), 1500u);
}

TEST(ParseSize, RefusesWhatIsNoSizeAndNamesTheOption) {
  EXPECT_EQ(message_of(""), "invalid -S argument ''");
  EXPECT_EQ(message_of("x"), "invalid -S argument 'x'");
  EXPECT_EQ(message_of("b"), "invalid -S argument 'b'");
  EXPECT_EQ(message_of("%"), "invalid -S argument '%'");
  EXPECT_EQ(message_of("-1"), "invalid -S argument '-1'");
  EXPECT_EQ(message_of("1.5G"), "invalid suffix in -S argument '1.5G'");
  EXPECT_EQ(message_of("1KB"), "invalid suffix in -S argument '1KB'");
  EXPECT_EQ(message_of("1Q"), "invalid suffix in -S argument '1Q'");
}

TEST(ParseSize, RefusesWhatDoesNotFit64Bits) {
  EXPECT_EQ(message_of("16E"), "-S argument '16E' too large");
  EXPECT_EQ(message_of("1Z"), "-S argument '1Z' too large");
  EXPECT_EQ(message_of("18446744073709551616b"), "-S argument '18446744073709551616b' too large");
  EXPECT_EQ(message_of("18014398509481984"), "-S argument '18014398509481984' too large");
  EXPECT_EQ(message_of("99999999999999999999%"), "-S argument '99999999999999999999%' too large");
}

TEST(ParseCount, TakesWholeNumbers) {
  EXPECT_EQ(parse_count("0", "-n"), 0u);
  EXPECT_EQ(parse_count(" +12", "-n"), 12u);
  EXPECT_EQ(parse_count("99999999999999999999", "-n"), UINT64_MAX);
}

TEST(ParseCount, RefusesAnythingElse) {
  EXPECT_THROW(parse_count("", "-n"), Error);
  EXPECT_THROW(parse_count("-1", "-n"), Error);
  EXPECT_THROW(parse_count("2k", "-n"), Error);
  EXPECT_THROW(parse_count("2 ", "-n"), Error);
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
