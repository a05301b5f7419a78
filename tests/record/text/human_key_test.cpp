// Keys of numbers with suffixes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "record/text/number_key.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

std::string human_key_of(const std::string& text, const TextLocale& locale = c_text_locale()) {
  std::string out(human_key_room(text.size()), '\0');
  const auto bytes = test::as_writable(out);
  out.resize(static_cast<std::size_t>(write_human_key(text, locale, bytes.data()) - bytes.data()));
  return out;
}

TEST(HumanKey, OrdersBySignThenSuffixThenNumber) {
  const std::vector<std::string> texts = {"-1Y", "-2K",  "-1K", "-5000", "-1", "0",  "1",  "5000", "1K", "1.5K",
                                          "2K",  "900K", ".5M", "1M",    "1G", "1T", "1P", "1E",   "1Z", "1Y"};
  for (std::size_t i = 1; i < texts.size(); ++i) {
    EXPECT_LT(human_key_of(texts[i - 1]), human_key_of(texts[i])) << texts[i - 1] << " and " << texts[i];
  }
}

TEST(HumanKey, TakesOneByteBehindTheNumber) {
  EXPECT_EQ(human_key_of("1k"), human_key_of("1K"));
  EXPECT_EQ(human_key_of(" \t1KiB"), human_key_of("1K"));
  EXPECT_EQ(human_key_of("1.K"), human_key_of("1K"));
  EXPECT_EQ(human_key_of("1 K"), human_key_of("1"));
  EXPECT_EQ(human_key_of("1m"), human_key_of("1"));
  EXPECT_EQ(human_key_of("K"), human_key_of("0"));
  EXPECT_EQ(human_key_of("-0.0G"), human_key_of("0"));
}

TEST(HumanKey, TakesSingleSeparatorsOfTheLocale) {
  TextLocale locale = c_text_locale();
  locale.thousands_separator = ',';
  EXPECT_EQ(human_key_of("1,000K", locale), human_key_of("1000K"));
  EXPECT_EQ(human_key_of("1,K", locale), human_key_of("1"));
  EXPECT_EQ(human_key_of("1,,000K", locale), human_key_of("1000"));
  EXPECT_EQ(human_key_of(",1K", locale), human_key_of("1"));
}

}  // namespace
}  // namespace sortie
