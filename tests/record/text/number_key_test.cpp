// Keys of decimal numbers: their order, their equality, and the bytes that they may use.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "record/text/number_key.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

std::string key_of(const std::string& text, const TextLocale& locale = c_text_locale()) {
  // A copy without a spare byte, so that a sanitizer sees reads beyond its end.
  const std::vector<char> exact(text.begin(), text.end());
  std::string out(number_key_room(text.size()) + 4, '\x55');
  const auto bytes = test::as_writable(out);
  const std::byte* const end = write_number_key({exact.data(), exact.size()}, exact.size(), locale, bytes.data());
  EXPECT_EQ(out.substr(out.size() - 4), "\x55\x55\x55\x55") << "written beyond the room";
  out.resize(static_cast<std::size_t>(end - bytes.data()));
  for (const char byte : out) {
    EXPECT_GE(static_cast<unsigned char>(byte), 0x10);
    EXPECT_LE(static_cast<unsigned char>(byte), 0xF0);
  }
  return out;
}

void expect_ascending(const std::vector<std::string>& texts) {
  for (std::size_t i = 1; i < texts.size(); ++i) {
    EXPECT_LT(key_of(texts[i - 1]), key_of(texts[i])) << texts[i - 1] << " and " << texts[i];
  }
}

std::string digits(std::size_t count, char digit) { return std::string(count, digit); }

TEST(NumberKey, OrdersByValue) {
  expect_ascending({"-1234567890123456789",
                    "-100",
                    "-99.5",
                    "-99",
                    "-10",
                    "-9.75",
                    "-9.7",
                    "-9",
                    "-1.05",
                    "-1.0001",
                    "-1",
                    "-.5",
                    "-.05",
                    "0",
                    ".0001",
                    ".05",
                    ".5",
                    "1",
                    "1.0001",
                    "1.05",
                    "1.1",
                    "9",
                    "9.7",
                    "9.75",
                    "10",
                    "99",
                    "99.5",
                    "100",
                    "101",
                    "12345678",
                    "123456789",
                    "123456789012345",
                    "1234567890123456",
                    "12345678901234567",
                    "1234567890123456789"});
}

TEST(NumberKey, OrdersNumbersOfAnyLength) {
  std::vector<std::string> texts;
  for (const std::size_t count : {300U, 99U, 98U, 97U, 96U, 95U, 16U, 15U}) {
    texts.push_back("-" + digits(count, '9'));
    texts.push_back("-" + digits(count, '8') + ".5");
    texts.push_back("-" + digits(count, '8'));
    texts.push_back("-1" + digits(count - 1, '0'));
  }
  expect_ascending(texts);
  std::vector<std::string> positive;
  for (auto text = texts.rbegin(); text != texts.rend(); ++text) positive.push_back(text->substr(1));
  expect_ascending(positive);
}

TEST(NumberKey, HasOneKeyForOneValue) {
  const std::vector<std::vector<std::string>> equals = {
      {"", "0", "-", "-0", "00", "000.000", ".", "-.0", "x", "+1", "--1", " \t", "\xff", "0x1F"},
      {"1", " 1", "\t 1", "01", "1.", "1.0", "1.000", "0000000000000000000001", "1x", "1 2", "1e3", "1-", "1.x",
       "1..5"},
      {"-12", "-012", "-12.0", "-12-", "-12 ", "-12a"},
      {"-.5", "-0.5", "-00.50", "-.5.5"},
      {"123456789012345", "0123456789012345", "123456789012345.0", "123456789012345x", "123456789012345 6"},
      {"1234567890123456", "1234567890123456.", "1234567890123456x"},
  };
  for (const auto& texts : equals) {
    for (const std::string& text : texts) EXPECT_EQ(key_of(text), key_of(texts[0])) << text << " and " << texts[0];
  }
}

TEST(NumberKey, ReadsIntegersByWordsAsDigitByDigit) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = (random() % 2 ? "-" : "") + std::to_string(random() >> random() % 64);
    // The decimal point makes this take the slow path.
    ASSERT_EQ(key_of(text), key_of(text + ".0")) << text;
    ASSERT_EQ(key_of(text + "/"), key_of(text)) << text;
    ASSERT_EQ(key_of(text + ":12345678901"), key_of(text)) << text;
    ASSERT_EQ(key_of(text + "\xb0"), key_of(text)) << text;
  }
}

TEST(NumberKey, DecidesThirteenDigitsInEightBytes) {
  EXPECT_LT(key_of("1234567890123").substr(0, 8), key_of("1234567890124").substr(0, 8));
}

TEST(NumberKey, FollowsTheLocale) {
  TextLocale locale = c_text_locale();
  locale.decimal_point = ',';
  locale.thousands_separator = '.';
  for (const char* const text :
       {"1234567,5", "1.234.567,5", "1234.567,50", "1..234567,5", ".1234567,5.0", "1234567.,5"}) {
    EXPECT_EQ(key_of(text, locale), key_of("1234567.5")) << text;
  }
  EXPECT_EQ(key_of("-1.234", locale), key_of("-1234"));
}

}  // namespace
}  // namespace sortie
