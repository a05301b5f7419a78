// Fields of lines and of CSV as they are written.
#include "record/text/field_splitter.hpp"

#include <gtest/gtest.h>

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

TEST(FieldSplitter, KeepsQuotedFieldsOfCsvWhole) {
  EXPECT_EQ(split("\"a,\"\"b\n\",c", ",", true), (Fields{"\"a,\"\"b\n\"", "c"}));
  EXPECT_EQ(split("a\"b,c", ",", true), (Fields{"a\"b", "c"}));
  EXPECT_EQ(split("\"a\"b,\"\",", ",", true), (Fields{"\"a\"b", "\"\"", ""}));
  EXPECT_EQ(split("\"open,a", ",", true), (Fields{"\"open,a"}));
}

}  // namespace
}  // namespace sortie
