
#include <clocale>
#include <string>

#include <gtest/gtest.h>

#include "base/quote.hpp"

namespace sortie {
namespace {

TEST(QuoteWord, LeavesPlainTextBetweenQuotes) {
  EXPECT_EQ(quote_word("2.3,4nr"), "'2.3,4nr'");
  EXPECT_EQ(quote_word(""), "''");
}

TEST(QuoteWord, EscapesAsC) {
  EXPECT_EQ(quote_word("a'b\\c"), "'a\\'b\\\\c'");
  EXPECT_EQ(quote_word("\n\t\a"), "'\\n\\t\\a'");
  EXPECT_EQ(quote_word("\x01\x7f"), "'\\001\\177'");
}

TEST(QuotePath, AlwaysMayBeAskedFor) {
  EXPECT_EQ(quote_path_always("in"), "'in'");
  EXPECT_EQ(quote_path_always("it's"), quote_path("it's"));
  EXPECT_EQ(quote_path_always(""), "''");
}

TEST(QuoteWord, EscapesOtherThanAsciiInTheCLocale) { EXPECT_EQ(quote_word("\xc3\xa4"), "'\\303\\244'"); }

TEST(EscapeUnprintable, SetsNoQuotes) {
  EXPECT_EQ(escape_unprintable("it's a\\b"), "it's a\\b");
  EXPECT_EQ(escape_unprintable("a\n\033[2Jb\x9b"), "a\\n\\033[2Jb\\233");
  EXPECT_EQ(escape_unprintable(""), "");
}

// Programs of Python have texts of UTF-8 in every locale.
TEST(EscapeControls, LeavesOtherCharactersInTheCLocale) {
  EXPECT_EQ(escape_controls("it's \xc3\xa4"), "it's \xc3\xa4");
  EXPECT_EQ(escape_controls("a\n\033[2J\x7f"), "a\\n\\033[2J\\177");
  EXPECT_EQ(escape_controls({"\0\xc2\x9b\xc2\xa0\xc2", 6}), "\\000\\302\\233\xc2\xa0\xc2");
}

class QuoteInUtf8 : public testing::Test {
 protected:
  void SetUp() override {
    if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) GTEST_SKIP() << "C.UTF-8 is not installed";
  }
  void TearDown() override { std::setlocale(LC_CTYPE, before_.c_str()); }

 private:
  std::string before_ = std::setlocale(LC_CTYPE, nullptr);
};

TEST_F(QuoteInUtf8, TakesCurvedQuotes) {
  EXPECT_EQ(quote_word("it's \xc3\xa4"), "\u2018it's \xc3\xa4\u2019");
  EXPECT_EQ(quote_path("\xc3\xa4"), "\xc3\xa4");
}

TEST_F(QuoteInUtf8, EscapesBytesThatAreNoCharacter) {
  EXPECT_EQ(quote_path("\xff"), "''$'\\377'");
  EXPECT_EQ(quote_path("a\xc3"), "'a'$'\\303'");
  EXPECT_EQ(escape_unprintable("\x9b\xc3\xa4"), "\\233\xc3\xa4");
}

// U+009B begins a terminal's control sequence as ESC [ does.
TEST_F(QuoteInUtf8, EscapesControlCharactersOfSeveralBytes) {
  EXPECT_EQ(quote_path("\xc2\x9b"
                       "2J"),
            "''$'\\302\\233''2J'");
  EXPECT_EQ(escape_unprintable("\xc2\x9b"
                               "2J"),
            "\\302\\2332J");
}

TEST(QuotePath, LeavesPlainNamesAsTheyAre) { EXPECT_EQ(quote_path("/var/tmp/a-1_b.txt"), "/var/tmp/a-1_b.txt"); }

TEST(QuotePath, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(quote_path(""), "''");
  EXPECT_EQ(quote_path("a b"), "'a b'");
  EXPECT_EQ(quote_path("a:b"), "'a:b'");
  EXPECT_EQ(quote_path("it's"), "\"it's\"");
  EXPECT_EQ(quote_path("it's $5"), "'it'\\''s $5'");
}

TEST(QuotePath, EscapesControlBytes) {
  EXPECT_EQ(quote_path("a\nb"), "'a'$'\\n''b'");
  EXPECT_EQ(quote_path("a\n\t"), "'a'$'\\n\\t'");
  EXPECT_EQ(quote_path("\033[1m"), "''$'\\033''[1m'");
}

}  // namespace
}  // namespace sortie
