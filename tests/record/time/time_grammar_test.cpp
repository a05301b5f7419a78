// Shapes of texts: what their characters take.
#include "record/time/time_grammar.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sortie {
namespace {

/// Bytes that the shape takes of the text, or "none".
template <ShapeText kShape>
std::string taken_of(std::string_view text, std::string_view separator = {}) {
  TimeCursor cursor(text, separator);
  const bool is_taken = take_shape<kShape>(cursor);
  EXPECT_EQ(is_at_shape<kShape>(TimeCursor(text, separator)), is_taken);
  EXPECT_TRUE(is_taken || cursor.taken() == 0);
  return is_taken ? std::string(text.substr(0, cursor.taken())) : "none";
}

TEST(TimeGrammar, TakesCharactersAndClasses) {
  EXPECT_EQ(taken_of<"99:99">("13:55x"), "13:55");
  EXPECT_EQ(taken_of<"99:99">("13:5"), "none");
  EXPECT_EQ(taken_of<"tz=">("TZ=CET"), "TZ=");
  EXPECT_EQ(taken_of<"[T]9">("t5"), "none");
  EXPECT_EQ(taken_of<"AC^">("aBc"), "aBc");
  EXPECT_EQ(taken_of<"X@">("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(taken_of<"~9">("\xe2\x88\x92"
                           "5"),
            "\xe2\x88\x92"
            "5");
  EXPECT_EQ(taken_of<"QAK$">("[a]"), "[a]");
  EXPECT_EQ(taken_of<"E">(""), "");
  EXPECT_EQ(taken_of<"9E">("1 "), "none");
}

TEST(TimeGrammar, TakesBlanksAsFieldsHaveThem) {
  EXPECT_EQ(taken_of<"_9">("5"), "5");
  EXPECT_EQ(taken_of<" 9">("5"), "none");
  EXPECT_EQ(taken_of<" 9">(" \t\xc2\xa0"
                           "5"),
            " \t\xc2\xa0"
            "5");
  EXPECT_EQ(taken_of<" 9">("\t5", "\t"), "none");
  EXPECT_EQ(taken_of<"B9">("\t5", "\t"), "\t5");
  EXPECT_EQ(taken_of<"9S9">("1||2", "||"), "1||2");
}

TEST(TimeGrammar, RepeatsChoosesAndLooksAhead) {
  EXPECT_EQ(taken_of<"9{2}">("123"), "12");
  EXPECT_EQ(taken_of<"9{1,2}:">("123:"), "none");
  EXPECT_EQ(taken_of<"9+:?A*">("12:ab1"), "12:ab");
  EXPECT_EQ(taken_of<"(ab|a)c">("ac"), "ac");
  EXPECT_EQ(taken_of<"(a|ab)c">("abc"), "none");  // the first that is there
  EXPECT_EQ(taken_of<"9!9">("12"), "none");
  EXPECT_EQ(taken_of<"9&(:9)">("1:2"), "1");
  EXPECT_EQ(taken_of<"(9:){2}9|x">("1:2:3"), "1:2:3");
  EXPECT_EQ(taken_of<"(9:){2}9|x">("x"), "x");
}

TEST(TimeGrammar, HasRulesWithNames) {
  EXPECT_EQ(taken_of<"<year>">("2023 x"), "2023");
  EXPECT_EQ(taken_of<"<year>">("20231"), "none");
  EXPECT_EQ(taken_of<"<day period>!W">("p. m. x"), "p. m.");
  EXPECT_EQ(taken_of<"<clear offset>">("-0700 x"), "-0700");
  EXPECT_EQ(taken_of<"<clear offset>">("-1250 x"), "none");
  EXPECT_EQ(taken_of<"[ ]<kind of time>">(" Daylight Time"), " Daylight Time");
}

TEST(TimeGrammar, TakesTheNumbersOfAShape) {
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 7;
  TimeCursor cursor("9:05 x");
  EXPECT_EQ(take_numbers<"9{1,2}:99(:99)?">(cursor, hour, minute, second), 2U);
  EXPECT_EQ(hour * 100 + minute, 905U);
  EXPECT_EQ(second, 7U);
  TimeCursor digits("135536");
  EXPECT_EQ(take_numbers<"(99){1,3}">(digits, hour, minute, second), 3U);
  EXPECT_EQ(hour * 10000 + minute * 100 + second, 135'536U);
  EXPECT_EQ(take_numbers<"99">(digits, hour), 0U);
}

}  // namespace
}  // namespace sortie
