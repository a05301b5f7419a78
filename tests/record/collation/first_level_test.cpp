// The proven part of collation keys never contradicts strcoll(), whatever the locale and the text.
#include "record/collation/first_level.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "record/collation/collated_text.hpp"
#include "support/in_locale.hpp"

namespace sortie {
namespace {

using namespace std::string_view_literals;

std::string collation_key(const FirstLevel& level, std::string_view text) {
  std::string key;
  level.assign_key(text, key);
  return key;
}

class FirstLevelIn : public testing::TestWithParam<const char*> {
 protected:
  /// Texts of a few parts each. Every second text is another one with a part inserted.
  static std::vector<std::string> draw_texts(const std::vector<std::string>& parts, std::size_t most_parts) {
    std::mt19937 random(20280);
    std::vector<std::string> texts;
    for (int i = 0; i < 3000; ++i) {
      std::string text = i % 2 == 0 || texts.empty() ? "" : texts.back();
      for (auto count = i % 2 == 0 ? random() % most_parts : 1; count > 0; --count) {
        text.insert(random() % (text.size() + 1), parts[random() % parts.size()]);
      }
      texts.push_back(text);
    }
    return texts;
  }

  static void expect_agreement(const std::vector<std::string>& parts) {
    const test::InLocale locale(GetParam());
    if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
    const LocaleHandle handle = LocaleHandle::current();
    const FirstLevel level(handle);
    const std::vector<std::string> texts = draw_texts(parts, 6);
    std::size_t ties = 0;
    for (std::size_t i = 1; i < texts.size(); ++i) {
      const int keys = collation_key(level, texts[i - 1]).compare(collation_key(level, texts[i]));
      const int order = compare_collated(handle, texts[i - 1], texts[i]);
      ties += keys == 0 ? 1 : 0;
      if (keys == 0) continue;
      ASSERT_EQ(keys < 0, order < 0) << testing::PrintToString(texts[i - 1]) << " and "
                                     << testing::PrintToString(texts[i]);
    }
    EXPECT_LT(ties, texts.size() / 10 * 9) << "the key proves next to nothing";
  }
};

TEST_P(FirstLevelIn, AgreesOnAscii) {
  std::vector<std::string> parts{"ch", "aa", "dz", "dzs", "ll", "nj", "ss", "1", "10"};
  for (char byte = 1; byte < 127; ++byte) parts.emplace_back(1, byte);
  for (char letter = 'a'; letter <= 'z'; ++letter) parts.emplace_back(1, letter);
  expect_agreement(parts);
}

TEST_P(FirstLevelIn, AgreesOnCharactersOfManyScripts) {
  expect_agreement({"a",  "A",  "ａ",   "ª", "ä", "a\u0308", "ß", "ss", "æ",  "ﬁ",         "ñ",  "\u0301",   "–",
                    "…",  "日", "本",   "Я", "я", "½",       "²", "č",  "ch", "c\u0327h",  "か", "が",       "ｶ",
                    "ー", "ก",  "เก",   "ก็", "က", "ក",       "ཀ", "ཀྱ",  "한", "\u200b",    "😀",  "👍🏽", " ",
                    "$",  "€",  "\x01", "é", "Å", "ø",       "א", "ب",  "𠀀", "\U0001d400"});
}

TEST_P(FirstLevelIn, AgreesOnBytesThatAreNoCharacters) {
  std::vector<std::string> parts{"a", "b", "é", "日"};
  for (int byte = 0x80; byte < 0x100; ++byte) parts.emplace_back(1, static_cast<char>(byte));
  expect_agreement(parts);
}

INSTANTIATE_TEST_SUITE_P(Locales, FirstLevelIn,
                         testing::Values("en_US.UTF-8", "de_DE.UTF-8", "es_ES.UTF-8", "cs_CZ.UTF-8", "ja_JP.UTF-8",
                                         "es_ES.ISO-8859-1", "ja_JP.EUC-JP"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           std::erase_if(name,
                                         [](char byte) { return !std::isalnum(static_cast<unsigned char>(byte)); });
                           return name;
                         });

TEST(FirstLevel, LeavesTheRestOpen) {
  const test::InLocale locale("en_US.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  const FirstLevel level(LocaleHandle::current());
  EXPECT_EQ(collation_key(level, ""), "");
  EXPECT_LT(collation_key(level, "a"), collation_key(level, "B"));
  EXPECT_LT(collation_key(level, "b"), collation_key(level, "C"));
  EXPECT_EQ(collation_key(level, "b"), collation_key(level, "B"));
  EXPECT_EQ(collation_key(level, "b-ed"), collation_key(level, "bed"));
  EXPECT_EQ(collation_key(level, "b\0a"sv), collation_key(level, "b\0c"sv)) << "what follows a NUL";
}

TEST(FirstLevel, ProvesNothingWithoutRules) {
  const FirstLevel level(LocaleHandle::c());
  EXPECT_EQ(collation_key(level, "abc"), "");
}

}  // namespace
}  // namespace sortie
