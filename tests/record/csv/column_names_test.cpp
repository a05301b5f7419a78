#include "record/csv/column_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie {
namespace {

using testing::HasSubstr;

TextOrder order_by(const std::string& column) {
  TextOrder order;
  order.csv = true;
  order.separator = ',';
  order.keys.resize(1);
  order.keys[0].column = column;
  order.keys[0].kind = TextKind::kNumber;
  order.keys[0].begin.skip_blanks = true;
  return order;
}

std::string refusal(const std::string& column, std::string_view header) {
  try {
    static_cast<void>(with_columns_found(order_by(column), header));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ColumnNames, BecomeNumbersOfFields) {
  for (const char* header : {"name,\"unit\nprice\",when\r\n", "a,\"unit\nprice\"", ",\"unit\nprice\",\n"}) {
    const TextOrder order = with_columns_found(order_by("unit\nprice"), header);
    const TextKey& key = order.keys.at(0);
    EXPECT_EQ(key.begin, (TextPosition{.field = 1, .byte = 0, .skip_blanks = true}));
    EXPECT_EQ(key.end, (TextPosition{.field = 2}));
    EXPECT_EQ(key.kind, TextKind::kNumber);
    EXPECT_EQ(key.column, "");
  }
}

TEST(ColumnNames, LeaveKeysByNumberAsTheyAre) {
  TextOrder order = order_by("b");
  order.keys.resize(2);
  order.keys[1].begin.field = 7;
  EXPECT_EQ(with_columns_found(order, "a,b\n").keys.at(1), order.keys[1]);
}

TEST(ColumnNames, ThatAreNotThereAreRefusedWithThoseThatAre) {
  EXPECT_EQ(refusal("prize", "name,price\r\n"), "no column is called 'prize': there are 'name', 'price'");
  EXPECT_THAT(refusal("a", "A\n"), HasSubstr("there are 'A'"));
}

TEST(ColumnNames, CanBeAnyWhereThereIsNoHeader) { EXPECT_EQ(refusal("b", ""), ""); }

TEST(ColumnNames, ThatSeveralColumnsHaveAreRefused) {
  EXPECT_EQ(refusal("b", "a,b,b\n"),
            "several columns are called 'b', of 'a', 'b', 'b': give the number of one, for example 2,2");
}

}  // namespace
}  // namespace sortie
