#include "observe/markup.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sortie {
namespace {

TEST(EscapeMarkup, LeavesNoCharacterThatMeansSomethingToABrowser) {
  EXPECT_EQ(escape_markup("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escape_markup("plain name.txt"), "plain name.txt");
  EXPECT_EQ(escape_markup(""), "");
}

TEST(EscapeMarkup, KeepsCharactersOfEveryLength) {
  for (const std::string text : {"\u00e4\u00df", "\u20ac", "\U0001F600", "tab\tline\n", "\u00a0", "\U0010FFFD"}) {
    EXPECT_EQ(escape_markup(text), text);
  }
}

TEST(EscapeMarkup, ReplacesWhatIsNoCharacter) {
  EXPECT_EQ(escape_markup(std::string("a\0b", 3)), "a\uFFFDb");
  for (const std::string control : {"\x01", "\x1b", "\x7f"}) EXPECT_EQ(escape_markup(control), "\uFFFD");
  EXPECT_EQ(escape_markup("\xc2\x85"), "\uFFFD\uFFFD");            // a control character of two bytes
  EXPECT_EQ(escape_markup("\xef\xbf\xbe"), "\uFFFD\uFFFD\uFFFD");  // never a character
  EXPECT_EQ(escape_markup("a\xffz"), "a\uFFFDz");
  EXPECT_EQ(escape_markup("a\xe2\x82"), "a\uFFFD\uFFFD");          // ends too early
  EXPECT_EQ(escape_markup("\xc0\xaf"), "\uFFFD\uFFFD");            // longer than it need be
  EXPECT_EQ(escape_markup("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // half of a pair
  EXPECT_EQ(escape_markup("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(Decimal, IsTheSameInEveryLocale) {
  EXPECT_EQ(decimal(3.14159, 2), "3.14");
  EXPECT_EQ(decimal(0, 1), "0.0");
  EXPECT_EQ(decimal(1234567, 0), "1234567");
  EXPECT_EQ(percent(0.614), "61%");
  EXPECT_EQ(decimal(-2.25, 1), "-2.3");
  EXPECT_EQ(decimal(-0.01, 1), "0.0");
  EXPECT_EQ(decimal(9.996, 2), "10.00");
  EXPECT_EQ(decimal(0.05, 2), "0.05");
  EXPECT_EQ(decimal(1e12, 2), "1000000000000.00");
  EXPECT_EQ(decimal(1e30, 2), "0");
  EXPECT_EQ(decimal(std::numeric_limits<double>::quiet_NaN(), 2), "0");
}

TEST(FormatSeconds, UsesTheUnitThatFits) {
  EXPECT_EQ(format_seconds(0.00031), "0.3 ms");
  EXPECT_EQ(format_seconds(0.0123), "12 ms");
  EXPECT_EQ(format_seconds(0.25), "250 ms");
  EXPECT_EQ(format_seconds(2.414), "2.41 s");
  EXPECT_EQ(format_seconds(725), "12 min 5 s");
  EXPECT_EQ(format_seconds(3720), "1 h 2 min");
}

}  // namespace
}  // namespace sortie
