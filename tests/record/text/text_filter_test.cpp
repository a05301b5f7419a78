// The text that -d, -i and -f leave.
#include <gtest/gtest.h>

#include <string>

#include <sortie/text_keys.hpp>

#include "record/text/text_filter.hpp"

namespace sortie {
namespace {

std::string filtered(const std::string& definition, const std::string& text) {
  std::string result = "old";
  TextFilter(parse_text_key(definition), c_text_locale()).apply(text, result);
  return result;
}

TEST(TextFilter, FoldsCase) { EXPECT_EQ(filtered("1f", "aZ-z\xe4"), "AZ-Z\xe4"); }

TEST(TextFilter, KeepsBlanksLettersAndDigitsOfADictionary) { EXPECT_EQ(filtered("1d", "a-1 _\tB.\x01\xff"), "a1 \tB"); }

TEST(TextFilter, KeepsWhatPrints) { EXPECT_EQ(filtered("1i", "a-\t\x7f~\xff "), "a-~ "); }

TEST(TextFilter, TakesDictionaryBeforeNonprinting) {
  TextKey key = parse_text_key("1d");
  key.ignore_nonprinting = true;
  std::string result;
  TextFilter(key, c_text_locale()).apply("a-\tb", result);
  EXPECT_EQ(result, "a\tb");
}

TEST(TextFilter, KnowsWhenItOnlyFoldsAscii) {
  TextLocale locale = c_text_locale();
  EXPECT_TRUE(TextFilter(parse_text_key("1f"), locale).folds_ascii_only());
  EXPECT_FALSE(TextFilter(parse_text_key("1df"), locale).folds_ascii_only());
  locale.upper_case[0xe4] = 0xc4;
  EXPECT_FALSE(TextFilter(parse_text_key("1f"), locale).folds_ascii_only());
}

}  // namespace
}  // namespace sortie
