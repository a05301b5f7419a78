// Keys of general numbers against known orders, and against GNU sort -g.
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "gnu_sort.hpp"
#include "record/text/number_key.hpp"

namespace sortie {
namespace {

std::string general_key_of(std::string_view text) {
  std::string key;
  append_general_number_key(text, LocaleHandle::current(), key);
  return key;
}

void append_key(std::string_view text, std::string& out) {
  append_general_number_key(text, LocaleHandle::current(), out);
}

void expect_equal(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) EXPECT_EQ(general_key_of(text), general_key_of(texts.front())) << text;
}

TEST(GeneralNumberKey, Ascending) {
  const std::vector<std::string> texts{"x",
                                       "nan",
                                       "-inf",
                                       "-1e4932",
                                       "-12345678901234567890",
                                       "-12345678901234567889",
                                       "-100",
                                       "-99.5",
                                       "-2",
                                       "-1.5",
                                       "-1",
                                       "-1e-4931",
                                       "-1e-4950",
                                       "0",
                                       "1e-4950",
                                       "1e-4931",
                                       "0x0.8p-3",
                                       "0.5",
                                       "1",
                                       "1.00000000000000000011",
                                       "1.5",
                                       "2",
                                       "99.5",
                                       "100",
                                       "12345678901234567889",
                                       "12345678901234567890",
                                       "1e4932",
                                       "inf"};
  for (std::size_t i = 1; i < texts.size(); ++i) {
    EXPECT_LT(general_key_of(texts[i - 1]), general_key_of(texts[i])) << texts[i - 1] << " before " << texts[i];
  }
}

TEST(GeneralNumberKey, Equal) {
  expect_equal({"", " ", "x", "-", "+", ".", "--1", "e5", "$1"});
  expect_equal({"0", "-0", "+0", "0.000", "0x0", "0e9", "-0e-9", "1e-9999", " \t0x"});
  expect_equal({"255", " 255", "+255", "255x", "0xff", "0XFF", "2.55e2", "0x1.fep7", "25500E-2", "255e"});
  expect_equal({"inf", "Infinity", "+INF", "1e9999"});
  expect_equal({"nan", "NAN", "NaN()", "nanx"});
}

TEST(GeneralNumberKey, OfLongText) {
  EXPECT_EQ(general_key_of(std::string(1000, ' ') + "12"), general_key_of("12"));
  EXPECT_EQ(general_key_of("12" + std::string(1000, '0') + "e-1000"), general_key_of("12"));
}

TEST(GeneralNumberKey, NulEndsTheNumber) {
  EXPECT_EQ(general_key_of(std::string_view("1\0002", 3)), general_key_of("1"));
}

TEST(GeneralNumberKey, OrderOfGnuSort) {
  if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
  std::mt19937 random(20263);
  const std::vector<std::string> parts{"0", "1",  "2", "7",   "9",     "15", "999999999", ".",    ".",      "e",
                                       "-", "-1", "+", "e-3", "e4900", "0x", "inf",       "-nan", "nan(3)", " "};
  for (const std::size_t most_parts : {3, 5, 9}) {
    const std::vector<std::string> texts = test::texts_of_parts(parts, 20000, most_parts, random);
    test::expect_same_order(append_key, {.options = "-g"}, texts);
  }
}

TEST(GeneralNumberKey, OrderOfGnuSortOnAnyNumber) {
  if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
  std::mt19937_64 random(20264);
  std::vector<std::string> texts;
  for (int i = 0; i < 20000; ++i) {
    const long double magnitude = static_cast<long double>(random()) * (random() % 2 == 0 ? 1 : -1);
    char text[64];
    std::snprintf(text, sizeof text, "%.*Lg", static_cast<int>(random() % 22),
                  std::ldexp(magnitude, static_cast<int>(random() % 200) - 150));
    texts.emplace_back(text);
  }
  test::expect_same_order(append_key, {.options = "-g"}, texts);
}

TEST(GeneralNumberKey, NansInTheOrderOfGnuSort) {
  if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
  std::mt19937_64 random(20265);
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) {
    texts.push_back((random() % 2 == 0 ? "-nan(" : "nan(") + std::to_string(random() >> (random() % 64)) + ")");
  }
  test::expect_same_order(append_key, {.options = "-g"}, texts);
}

TEST(GeneralNumberKey, DecimalPointOfTheLocale) {
  if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no locale de_DE.UTF-8";
  std::mt19937 random(20277);
  const std::vector<std::string> parts{"1", "2", ",5", ".5", ",", ".", "-", "e"};
  const std::vector<std::string> texts = test::texts_of_parts(parts, 2000, 4, random);
  test::expect_same_order(append_key, {.options = "-g", .locale = "de_DE.UTF-8"}, texts);
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace sortie
