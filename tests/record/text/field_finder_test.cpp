// Finds keys in lines.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "record/text/field_finder.hpp"

namespace sortie {
namespace {

/// The text in `line` of the key `definition`, which has the form of a -k argument.
std::string text_of(const std::string& line, const std::string& definition, const std::string& separator = {}) {
  TextOrder order;
  order.keys = {parse_text_key(definition)};
  order.separator = separator;
  // A copy without a spare byte, so that a sanitizer sees reads beyond its end.
  const std::vector<char> exact(line.begin(), line.end());
  const FieldFinder finder(order, c_text_locale());
  FieldFinder::Fields fields;
  finder.find({exact.data(), exact.size()}, fields);
  return std::string(finder.key_text(fields, order.keys[0]));
}

TEST(FieldFinder, EndsFieldsAtEachSeparator) {
  EXPECT_EQ(text_of("a:bc::d", "1,1", ":"), "a");
  EXPECT_EQ(text_of("a:bc::d", "2,2", ":"), "bc");
  EXPECT_EQ(text_of("a:bc::d", "3,3", ":"), "");
  EXPECT_EQ(text_of("a:bc::d", "4,4", ":"), "d");
  EXPECT_EQ(text_of("a:bc::d", "5,5", ":"), "");
  EXPECT_EQ(text_of("a:bc::d", "2", ":"), "bc::d");
  EXPECT_EQ(text_of("a:bc::d", "2,3", ":"), "bc:");
  EXPECT_EQ(text_of("a:bc::d", "2,9", ":"), "bc::d");
  EXPECT_EQ(text_of(":", "1,1", ":"), "");
  EXPECT_EQ(text_of("", "1,1", ":"), "");
}

TEST(FieldFinder, EndsFieldsAtEachSeparatorOfSeveralBytes) {
  EXPECT_EQ(text_of("a||b|c||||d", "1,1", "||"), "a");
  EXPECT_EQ(text_of("a||b|c||||d", "2,2", "||"), "b|c");
  EXPECT_EQ(text_of("a||b|c||||d", "3,3", "||"), "");
  EXPECT_EQ(text_of("a||b|c||||d", "4,4", "||"), "d");
  EXPECT_EQ(text_of("a||b|c||||d", "2,4", "||"), "b|c||||d");
  EXPECT_EQ(text_of("a||b|c||||d", "2.2,4.1", "||"), "|c||||d");
  EXPECT_EQ(text_of("a|||b", "2", "||"), "|b");  // the leftmost counts
  EXPECT_EQ(text_of("a|||", "1,1", "||"), "a");
  EXPECT_EQ(text_of("||", "2", "||"), "");
  EXPECT_EQ(text_of("|", "1,1", "||"), "|");
  EXPECT_EQ(text_of("", "1,1", "||"), "");
  EXPECT_EQ(text_of("a,  b, c", "2b,2", ", "), "b");
  EXPECT_EQ(text_of("a\u00a6b\u00a6c", "2,2", "\u00a6"), "b");
}

TEST(FieldFinder, FindsFieldsFarBehindSeparatorsOfSeveralBytes) {
  for (const std::size_t fields : {31, 32, 33, 64, 65, 100}) {
    std::string line = "0";
    for (std::size_t i = 1; i < fields; ++i) line += "ababa" + std::to_string(i);  // "aba", and "ba" of the next field
    const std::string last = std::to_string(fields);
    EXPECT_EQ(text_of(line, last + "," + last, "aba"), "ba" + std::to_string(fields - 1));
    EXPECT_EQ(text_of(line, std::to_string(fields + 1), "aba"), "");
  }
}

TEST(FieldFinder, BeginsFieldsWithTheirBlanks) {
  EXPECT_EQ(text_of("a  bc\t d ", "1,1"), "a");
  EXPECT_EQ(text_of("a  bc\t d ", "2,2"), "  bc");
  EXPECT_EQ(text_of("a  bc\t d ", "3,3"), "\t d");
  EXPECT_EQ(text_of("a  bc\t d ", "4,4"), " ");
  EXPECT_EQ(text_of("a  bc\t d ", "5,5"), "");
  EXPECT_EQ(text_of("  a b", "1,1"), "  a");
  EXPECT_EQ(text_of("   ", "1,1"), "   ");
  EXPECT_EQ(text_of("a\n b", "2,2"), "\n b");
}

TEST(FieldFinder, SkipsBlanksWhereAsked) {
  EXPECT_EQ(text_of("a  bc d", "2b,2"), "bc");
  EXPECT_EQ(text_of("a  bc d", "2b,2.1b"), "b");
  EXPECT_EQ(text_of("a  bc d", "2,2.1b"), "  b");
  EXPECT_EQ(text_of("a:  b:c", "2b", ":"), "b:c");
  EXPECT_EQ(text_of("a:  :c", "2b,2", ":"), "");
  EXPECT_EQ(text_of("  ", "1b"), "");
}

TEST(FieldFinder, CountsBytesBeyondTheFieldIntoTheLine) {
  EXPECT_EQ(text_of("ab:cd:ef", "1.2,1.2", ":"), "b");
  EXPECT_EQ(text_of("ab:cd:ef", "1.5,2", ":"), "d");
  EXPECT_EQ(text_of("ab:cd:ef", "1.2,1.7", ":"), "b:cd:e");
  EXPECT_EQ(text_of("ab:cd:ef", "1.2,1.70", ":"), "b:cd:ef");
  EXPECT_EQ(text_of("ab:cd:ef", "1.70", ":"), "");
  EXPECT_EQ(text_of("ab:cd:ef", "2.2,2.0", ":"), "d");
}

TEST(FieldFinder, FindsNothingInKeysThatEndBeforeTheyBegin) {
  EXPECT_EQ(text_of("ab:cd:ef", "2,1", ":"), "");
  EXPECT_EQ(text_of("ab:cd:ef", "2.2,2.1", ":"), "");
  EXPECT_EQ(text_of("ab:cd:ef", "3,2.1", ":"), "");
}

TEST(FieldFinder, ScansLinesOfEveryLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string first(length, 'x');
    EXPECT_EQ(text_of(first + ":second:", "2,2", ":"), "second");
    EXPECT_EQ(text_of(first + ":", "1,1", ":"), first);
    EXPECT_EQ(text_of(first, "1,1", ":"), first);
    EXPECT_EQ(text_of(first + "y second", "2,2"), " second");
  }
}

TEST(FieldFinder, ReachesFieldsBeyondThoseRemembered) {
  std::string separated;
  std::string blank;
  for (int field = 1; field <= 100; ++field) {
    separated += std::to_string(field) + (field < 100 ? "," : "");
    blank += std::to_string(field) + (field < 100 ? "  " : "");
  }
  for (const int field : {31, 32, 33, 34, 63, 64, 65, 66, 96, 97, 99, 100, 101, 129}) {
    const std::string name = std::to_string(field);
    EXPECT_EQ(text_of(separated, name + "," + name, ","), field > 100 ? "" : name);
    EXPECT_EQ(text_of(blank, name + "b," + name), field > 100 ? "" : name);
  }
}

TEST(FieldFinder, TakesTheBlanksOfTheLocale) {
  TextLocale locale = c_text_locale();
  locale.blank[0xA0] = true;
  TextOrder order;
  order.keys = {parse_text_key("2b,2")};
  const FieldFinder finder(order, locale);
  FieldFinder::Fields fields;
  finder.find("first\xa0\xa0second third", fields);
  EXPECT_EQ(finder.key_text(fields, order.keys[0]), "second");
}

// No more fields of a record with quotes are read than keys need.
TEST(FieldFinder, FindsNothingInAKeyOfCsvThatEndsBeforeItBegins) {
  for (const char* const definition : {"2,1", "3,1", "3,2", "2b,1"}) {
    TextOrder order;
    order.keys = {parse_text_key(definition)};
    order.separator = ',';
    order.csv = true;
    const FieldFinder finder(order, c_text_locale());
    for (const std::string record : {"\"ab\",cd,ef\n", "\"ab\"\n", "ab,\"cd\"\n", "\"\"\n"}) {
      FieldFinder::Fields fields;
      UnquotedRecord unquoted;
      finder.find(record, fields, unquoted);
      EXPECT_EQ(finder.key_text(fields, order.keys[0]), "") << definition << " " << record;
    }
  }
}

}  // namespace
}  // namespace sortie
