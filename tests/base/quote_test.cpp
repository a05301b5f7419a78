#include <sortie/quote.hpp>

#include <clocale>
#include <string>

#include <gtest/gtest.h>

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

TEST(QuoteWord, EscapesOtherThanAsciiInTheCLocale) { EXPECT_EQ(quote_word("\xc3\xa4"), "'\\303\\244'"); }

TEST(QuoteWord, TakesCurvedQuotesInUtf8) {
  const std::string before = std::setlocale(LC_CTYPE, nullptr);
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) GTEST_SKIP() << "C.UTF-8 is not installed";
  EXPECT_EQ(quote_word("it's \xc3\xa4"), "\u2018it's \xc3\xa4\u2019");
  std::setlocale(LC_CTYPE, before.c_str());
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
