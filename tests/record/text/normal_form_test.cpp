// Normal forms of text: test_normal_forms.py compares them with those of Python, this says what they are.
#include "record/text/normal_form.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sortie {
namespace {

constexpr NormalForm kAll{.nfkc = true, .case_fold = true, .punctuation = true, .space = true};

std::string normal(std::string_view text, const NormalForm& form = kAll) {
  std::string out = "before";
  append_normal_form(text, form, out);
  EXPECT_EQ(out.substr(0, 6), "before");
  return out.substr(6);
}

TEST(NormalForm, MakesTextsEqualThatDifferInTrifles) {
  EXPECT_EQ(normal("  Hello,\tWORLD! "), "hello world");
  EXPECT_EQ(normal("a - b"), "a b") << "blanks around punctuation are one";
  EXPECT_EQ(normal("STRASSE"), normal("stra\xC3\x9F"
                                      "e"));
  EXPECT_EQ(normal("\xEF\xAC\x81n"), "fin") << "a ligature";
  EXPECT_EQ(normal("\xC2\xA0x\xE3\x80\x80y"), "x y") << "white space of Unicode";
  EXPECT_EQ(normal("e\xCC\x81"), normal("\xC3\x89")) << "an accent that is a character of its own";
  EXPECT_EQ(normal(" !? "), "");
}

TEST(NormalForm, HasOnlyThePartsThatAreAskedFor) {
  EXPECT_EQ(normal(" A-b ", {.case_fold = true}), " a-b ");
  EXPECT_EQ(normal(" A-b ", {.punctuation = true}), " Ab ");
  EXPECT_EQ(normal(" A -\n b ", {.space = true}), "A - b");
  EXPECT_EQ(normal("\xEF\xBC\xA1 ", {.nfkc = true}), "A ");
  EXPECT_EQ(normal(" A-b ", {}), " A-b ");
}

TEST(NormalForm, KeepsBytesThatAreNoText) {
  EXPECT_EQ(normal("\xFF\xC3 A\xE2\x80"), "\xFF\xC3 a\xE2\x80");
  EXPECT_EQ(normal(std::string("a\0B", 3)), std::string("a\0b", 3));
}

TEST(NormalForm, IsTheSameOfLongTextsAsOfTheirPieces) {
  std::string text;
  std::string expected;
  for (int i = 0; i < 30000; ++i) {
    text += "\xE4\xB8\xAD\xCC\x81";  // an ideograph with an accent
    expected += "\xE4\xB8\xAD\xCC\x81";
  }
  EXPECT_EQ(normal(text), expected);
}

}  // namespace
}  // namespace sortie
