// Fields of lines and of CSV as they are written.
#include "record/text/field_splitter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {
namespace {

std::vector<std::string_view> split(std::string_view line, const std::string& separator, bool csv = false) {
  TextOrder order;
  order.separator = separator;
  order.csv = csv;
  SplitFields fields;
  FieldSplitter(order).split(line, fields);
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < fields.size(); ++i) texts.push_back(fields[i]);
  return texts;
}

using Fields = std::vector<std::string_view>;

TEST(FieldSplitter, SplitsAtSeparators) {
  EXPECT_EQ(split("a,,b", ","), (Fields{"a", "", "b"}));
  EXPECT_EQ(split("", ","), (Fields{""}));
  EXPECT_EQ(split("a,", ","), (Fields{"a", ""}));
  EXPECT_EQ(split("a||b|c", "||"), (Fields{"a", "b|c"}));
  EXPECT_EQ(split("\"a,b\"", ","), (Fields{"\"a", "b\""}));
}

TEST(FieldSplitter, SplitsAtBlanks) {
  EXPECT_EQ(split("  a \t b ", ""), (Fields{"a", "b"}));
  EXPECT_TRUE(split(" ", "").empty());
}

// Blocks of 64 bytes are looked at together: fields and gaps that cross their ends, lines that end anywhere in one.
TEST(FieldSplitter, SplitsLongLinesAtBlanksAsByteByByte) {
  std::mt19937 random(20261128);
  for (int turn = 0; turn < 3000; ++turn) {
    const auto blanks = static_cast<unsigned>(1 + random() % 40);
    std::string line(random() % 300, 'x');
    for (char& byte : line) byte = random() % 40 < blanks ? " \t\n"[random() % 3] : "a\xa0\x0b\0"[random() % 4];
    Fields expected;
    for (std::size_t begin = 0; begin < line.size();) {
      begin = std::min(line.find_first_not_of(" \t\n", begin), line.size());
      const std::size_t end = std::min(line.find_first_of(" \t\n", begin), line.size());
      if (begin < end) expected.push_back(std::string_view(line).substr(begin, end - begin));
      begin = end;
    }
    ASSERT_EQ(split(line, ""), expected) << turn;
  }
}

TEST(FieldSplitter, KeepsQuotedFieldsOfCsvWhole) {
  EXPECT_EQ(split("\"a,\"\"b\n\",c", ",", true), (Fields{"\"a,\"\"b\n\"", "c"}));
  EXPECT_EQ(split("a\"b,c", ",", true), (Fields{"a\"b", "c"}));
  EXPECT_EQ(split("\"a\"b,\"\",", ",", true), (Fields{"\"a\"b", "\"\"", ""}));
  EXPECT_EQ(split("\"open,a", ",", true), (Fields{"\"open,a"}));
}

}  // namespace
}  // namespace sortie
