// Collation keys: the order is that of GNU sort in the same locale.
#include <gtest/gtest.h>

#include <clocale>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gnu_sort.hpp"
#include "record/text/collation_key.hpp"

namespace sortie {
namespace {

/// Sets the locale for the time of a test; skips it if there is none of that name.
class CollationKeyIn : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::setlocale(LC_ALL, GetParam()) == nullptr) GTEST_SKIP() << "no locale " << GetParam();
  }
  void TearDown() override { std::setlocale(LC_ALL, "C"); }

  static std::string key_of(std::string_view text) {
    std::string key;
    CollationKeys().append(text, key);
    return key;
  }

  static void expect_order_of_gnu_sort(const std::vector<std::string>& texts, char delimiter = '\0') {
    if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort";
    const test::GnuSort gnu{.options = "", .locale = GetParam(), .delimiter = delimiter};
    const CollationKeys keys;
    test::expect_same_order([&](std::string_view text, std::string& out) { keys.append(text, out); }, gnu, texts);
  }
};

TEST_P(CollationKeyIn, LettersBeforeTheirCase) {
  EXPECT_EQ(key_of(""), "");
  EXPECT_LT(key_of(""), key_of("a"));
  EXPECT_LT(key_of("a"), key_of("B"));
  EXPECT_LT(key_of("b"), key_of("C"));
  EXPECT_LT(key_of("ab"), key_of("AB"));
  EXPECT_LT(key_of("AB"), key_of("abc"));
  EXPECT_LT(key_of("cote"), key_of("côte"));
  EXPECT_LT(key_of("côte"), key_of("cotf"));
}

TEST_P(CollationKeyIn, NulsPartTheText) {
  using namespace std::string_view_literals;
  EXPECT_LT(key_of("a"), key_of("a\0"sv));
  EXPECT_LT(key_of("a\0"sv), key_of("a\0\0"sv));
  EXPECT_LT(key_of("a\0z"sv), key_of("A\0b"sv));
}

TEST_P(CollationKeyIn, OrderOfNearlyEqualTexts) {
  std::mt19937 random(20267);
  for (const std::size_t most_parts : {3, 6, 12}) {
    expect_order_of_gnu_sort(test::texts_of_parts({"a", "A", "b", "-", " ", "é", "É", "1"}, 5000, most_parts, random));
  }
}

TEST_P(CollationKeyIn, OrderOfAsciiTexts) {
  std::mt19937 random(20268);
  std::vector<std::string> parts;
  for (char c = 1; c < 127; ++c) parts.emplace_back(1, c);
  expect_order_of_gnu_sort(test::texts_of_parts(parts, 5000, 3, random));
  expect_order_of_gnu_sort(test::texts_of_parts({"Aa", "  ", "bB", "a", ", "}, 5000, 120, random));
}

TEST_P(CollationKeyIn, OrderOfUnicodeTexts) {
  std::mt19937 random(20269);
  const std::vector<std::string> parts{"a",  "A",      "ａ", "ª", "ä", "a\u0308", "ß",    "ss",  "æ", "ﬁ",
                                       "fi", "\u0301", "–",  "-", "…", "日",      "本",   "Я",   "я", "½",
                                       "²",  "\u200b", "😀",  " ", "$", "€",       "\x01", "\x7f"};
  for (const std::size_t most_parts : {2, 4, 8}) {
    expect_order_of_gnu_sort(test::texts_of_parts(parts, 5000, most_parts, random));
  }
}

TEST_P(CollationKeyIn, OrderOfAnyBytes) {
  std::mt19937 random(20270);
  std::vector<std::string> bytes;
  for (int i = 0; i < 256; ++i) {
    if (i != '\n') bytes.emplace_back(1, static_cast<char>(i));
  }
  expect_order_of_gnu_sort(test::texts_of_parts(bytes, 5000, 4, random), '\n');
}

TEST_P(CollationKeyIn, OrderOfTextsWithNuls) {
  std::mt19937 random(20271);
  const std::vector<std::string> parts{std::string(1, '\0'), "a", "b", "B", "\x01", "\xff", "é", "-"};
  expect_order_of_gnu_sort(test::texts_of_parts(parts, 5000, 6, random), '\n');
}

INSTANTIATE_TEST_SUITE_P(Locales, CollationKeyIn, testing::Values("en_US.UTF-8", "de_DE.UTF-8"),
                         [](const auto& suite) { return std::string(suite.param, 5); });

}  // namespace
}  // namespace sortie
