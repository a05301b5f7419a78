#include "record/csv/column_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

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
  order.keys[1].begin.field = 1;
  EXPECT_EQ(with_columns_found(order, "a,b\n").keys.at(1), order.keys[1]);
}

TEST(ColumnNames, ThatAreNotThereAreRefusedWithThoseThatAre) {
  EXPECT_EQ(refusal("prize", "name,price\r\n"), "no column is called 'prize': there are 'name', 'price'");
  EXPECT_THAT(refusal("a", "A\n"), HasSubstr("there are 'A'"));
}

TEST(ColumnNames, CanBeAnyWhereThereIsNoHeader) { EXPECT_EQ(refusal("b", ""), ""); }

/// What a key by this word becomes.
TextKey found(std::string_view word, std::string_view header) {
  TextOrder order = order_by("");
  order.keys = {make_text_key(parse_table_key(word), {})};
  return with_columns_found(order, header).keys.at(0);
}

std::string refusal_of_word(std::string_view word, std::string_view header) {
  try {
    static_cast<void>(found(word, header));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ColumnNames, ThatAreNumbersAreNamesIfTheHeaderHasThem) {
  EXPECT_EQ(found("2024:n", "id,2023,2024\n").begin.field, 2U);
  EXPECT_EQ(found("2024:n", "id,2023,2024\n").end, (TextPosition{.field = 3}));
  EXPECT_EQ(found("2024:n", "id,2023,2024\n").kind, TextKind::kNumber);
  EXPECT_EQ(found("2", "id,2023,2024\n").begin.field, 1U);
  EXPECT_FALSE(found("2", "id,2023,2024\n").end);
  EXPECT_EQ(found("2,2", "id,1,2\n").end, (TextPosition{.field = 2}));
  EXPECT_EQ(found("\"2\"", "id,1,2\n").begin.field, 2U);
}

TEST(ColumnNames, AreNoPositionsUnlessTheyBeginWithANumber) {
  TextOrder order = order_by("b");
  order.keys[0].end = TextPosition{.field = 1};
  EXPECT_EQ(with_columns_found(order, "a,b\n").keys.at(0).begin.field, 1U);
}

TEST(ColumnNames, ThatArePositionsTooAreRefusedWithBothWaysToWriteThem) {
  EXPECT_EQ(
      refusal_of_word("2:n", "id,1,2\n"),
      "'2' is the name of a column, and can be read as field 2: write '\"2\"' for the name, or 2,2 for the field");
  EXPECT_THAT(refusal_of_word("3d", "id,3d\n"), HasSubstr("write '\"3d\"' for the name"));
  EXPECT_THAT(refusal_of_word("1.5", "1.5,b\n"), HasSubstr("'1.5' is the name of a column"));
}

TEST(ColumnNames, AreNeededForPositionsThatNoRecordOfTheHeaderHas) {
  EXPECT_EQ(refusal_of_word("4,4", "a,b\n"), "there is no column 4: the header has 2, 'a', 'b'");
  EXPECT_EQ(refusal_of_word("2024:n", "a,b\n"), "there is no column 2024: the header has 2, 'a', 'b'");
  EXPECT_EQ(refusal_of_word("3,3", "title\n\"a\nb\",b,c\n"), "");
  EXPECT_EQ(refusal_of_word("7,7", ""), "");
}

TEST(ColumnNames, OfVeryManyColumnsAreNotAllListed) {
  std::string header = "a";
  for (int i = 0; i < 200'000; ++i) header += ",b" + std::to_string(i);
  header += "\n";
  for (const char* const word : {"c", "300000,300000"}) {
    const std::string refused = refusal_of_word(word, header);
    EXPECT_LT(refused.size(), 500U) << refused.substr(0, 500);
  }
  EXPECT_THAT(refusal_of_word("c", header), HasSubstr("'a', 'b0', "));
  EXPECT_THAT(refusal_of_word("c", header), HasSubstr("'b18' and 199981 more"));
}

TEST(ColumnNames, ThatSeveralColumnsHaveAreRefused) {
  EXPECT_EQ(refusal("b", "a,b,b\n"),
            "several columns are called 'b', of 'a', 'b', 'b': give the number of one, for example 2,2");
}

}  // namespace
}  // namespace sortie
