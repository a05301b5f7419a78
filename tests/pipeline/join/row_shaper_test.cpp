// Which columns the rows of a join have, and how rows are made of two records.
#include "pipeline/join/row_shaper.hpp"

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

const JoinInput kNoInput;

JoinOptions options_of(const std::string& separator, bool csv, const std::string& columns = {}) {
  JoinOptions options;
  options.sort.format = parsed("lines");
  options.sort.format.text.separator = separator;
  options.sort.format.text.csv = csv;
  if (!columns.empty()) options.columns = parse_join_columns(columns);
  return options;
}

class Rows {
 public:
  Rows(const JoinOptions& options, const JoinInput& left, const JoinInput& right)
      : shaper_(options.sort.format, plan_rows(options, left, right), style_of(options), left, right) {}

  std::string pair(std::string_view left, std::string_view right) {
    shaper_.shape_left(as_bytes(left), left_);
    shaper_.shape_right(as_bytes(right), right_);
    return row(left_, right_);
  }
  std::string left_alone(std::string_view left) {
    shaper_.shape_left(as_bytes(left), left_);
    return row(left_, shaper_.no_right());
  }
  std::string right_alone(std::string_view right) {
    shaper_.shape_keys_of_right(as_bytes(right), left_);
    shaper_.shape_right(as_bytes(right), right_);
    return row(left_, right_);
  }
  std::string header(std::string_view left, std::string_view right) { return shaper_.header(left, right); }
  /// Bytes that rows have of the last left record.
  std::size_t left_bytes() const { return left_.size(); }

 private:
  static RowStyle style_of(const JoinOptions& options) {
    RowStyle style;
    style.csv = options.sort.format.text.csv;
    if (!options.sort.format.text.separator.empty()) style.separator = options.sort.format.text.separator;
    style.empty = options.empty;
    return style;
  }
  std::string row(const std::string& left, const std::string& right) {
    std::string rows;
    shaper_.append_row(left, right, [&](std::string_view text) { rows += text; });
    return rows;
  }

  RowShaper shaper_;
  std::string left_;
  std::string right_;
};

TEST(RowShaper, ShowsKeysOnceAndThenTheOtherFieldsOfBothSides) {
  Rows rows(options_of("::", false), {{1}, 3, {}}, {{0}, 2, {}});
  EXPECT_EQ(rows.pair("a::k::b\n", "k::x\n"), "k::a::b::x\n");
  EXPECT_EQ(rows.left_alone("a::k::b\n"), "k::a::b::\n");
  EXPECT_EQ(rows.right_alone("k::x\n"), "k::::::x\n");
  // Short lines are filled up, longer ones are whole.
  EXPECT_EQ(rows.pair("a\n", "k::x::y\n"), "::a::::x::y\n");
}

TEST(RowShaper, TakesBlanksTogetherWithoutASeparator) {
  Rows rows(options_of("", false), {{0}, 2, {}}, {{0}, 2, {}});
  EXPECT_EQ(rows.pair("  k \t a \n", "k x\n"), "k a x\n");
}

TEST(RowShaper, WritesWhatStandsForEmptyFields) {
  JoinOptions options = options_of(",", false, "2.2,0,1.2,2.3");
  options.empty = "-";
  Rows rows(options, {{0}, 2, {}}, {{0}, 2, {}});
  EXPECT_EQ(rows.pair("k,a\n", "k,x\n"), "x,k,a,-\n");
  EXPECT_EQ(rows.pair("k,\n", "k,x\n"), "x,k,-,-\n");
  EXPECT_EQ(rows.left_alone("k,a\n"), "-,k,a,-\n");
  EXPECT_EQ(rows.right_alone("k,x\n"), "x,k,-,-\n");
}

TEST(RowShaper, ShowsAllLeftColumnsOfCsvAndTheRightOnesWithoutKeys) {
  Rows rows(options_of(",", true), {{1}, 2, column_names("x,id", {})}, {{0}, 3, column_names("id,x,\"a,b\"", {})});
  EXPECT_EQ(rows.header("x,id\n", "id,x,\"a,b\"\n"), "x,id,x_right,\"a,b\"\n");
  EXPECT_EQ(rows.pair("\"1\n2\",k\r\n", "k,\"q\"\"\",z\n"), "\"1\n2\",k,\"q\"\"\",z\n");
  EXPECT_EQ(rows.left_alone("1,k\n"), "1,k,,\n");
  EXPECT_EQ(rows.right_alone("k,2,3\n"), ",k,2,3\n");
  EXPECT_EQ(error_of([&] { rows.pair("1,k,3\n", "k,2,3\n"); }),
            "a record has 3 fields, and the input 2 columns: it would shift those behind it; say which "
            "columns to write");
}

TEST(RowShaper, ShowsNothingOfTheRightWherePairsAreLeftOut) {
  for (const bool csv : {false, true}) {
    JoinOptions options = options_of(",", csv);
    options.kind = JoinKind::kAnti;
    Rows rows(options, {{0}, 2, {}}, {{0}, 3, {}});
    EXPECT_EQ(rows.left_alone("k,a\n"), "k,a\n");
  }
}

TEST(RowShaper, FindsColumnsByTheirNames) {
  const JoinInput left{{0}, 2, column_names("id,x", {})};
  const JoinInput right{{1}, 3, column_names("x,id,y", {})};
  Rows rows(options_of(",", true, "right.x,id,y,left.x,right.x,2.2"), left, right);
  EXPECT_EQ(rows.header("id,x\n", "x,id,y\n"), "x,id,y,x_left,x_right,id_right\n");
  EXPECT_EQ(rows.pair("1,a\n", "b,1,c\n"), "b,1,c,a,b,1\n");
  EXPECT_EQ(rows.right_alone("b,1,c\n"), "b,1,c,,b,1\n");
}

TEST(RowShaper, HoldsAFieldOnceHoweverOftenItIsShown) {
  std::string columns = "1.2,0,1.2,2.2";
  for (int i = 0; i < 10; ++i) columns += ",1.2,2.2,0,2.3";
  JoinOptions options = options_of(",", false, columns);
  options.empty = "-";
  Rows rows(options, {{0}, 2, {}}, {{0}, 3, {}});
  const std::string text(1000, 'x');
  std::string expected = text + ",k," + text + ",a";
  std::string alone = "-,k,-,a";
  for (int i = 0; i < 10; ++i) {
    expected += "," + text + ",a,k,b";
    alone += ",-,a,k,b";
  }
  EXPECT_EQ(rows.pair("k," + text + "\n", "k,a,b\n"), expected + "\n");
  EXPECT_LT(rows.left_bytes(), 3 * text.size());
  EXPECT_EQ(rows.right_alone("k,a,b\n"), alone + "\n");
}

TEST(RowShaper, RefusesColumnsThatAreNotThere) {
  const JoinInput left{{0}, 2, column_names("id,x", {})};
  const JoinInput right{{0}, 3, column_names("id,x,x", {})};
  const auto refusal = [&](const std::string& columns) {
    return error_of([&] { plan_rows(options_of(",", true, columns), left, right); });
  };
  EXPECT_EQ(refusal("x"), "both inputs have a column 'x': write left.x or right.x");
  EXPECT_EQ(refusal("z"), "no input has a column 'z' to write");
  EXPECT_EQ(refusal("left.z"), "the left input has no column 'z'");
  EXPECT_EQ(refusal("right.x"), "the right input has several columns 'x': give the number of one");
}

// An input without records has no columns, but what is wanted of it does not make the join fail.
TEST(RowShaper, FillsUpColumnsOfAnInputWithoutRecords) {
  Rows rows(options_of(",", true, "id,right.y,z"), {{0}, 2, column_names("id,x", {})}, kNoInput);
  EXPECT_EQ(rows.header("id,x\n", ""), "id,y,z\n");
  EXPECT_EQ(rows.left_alone("1,a\n"), "1,,\n");
}

TEST(RowShaper, NeedsWholeFieldsForTheUsualColumns) {
  const JoinInput part{{}, 2, {}};
  EXPECT_NE(error_of([&] { plan_rows(options_of(",", false), part, part); }).find("a key of the join is a part"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              plan_rows(options_of(",", false), {{0}, 2, {}}, {{0, 1}, 2, {}});
            }).find("more fields"),
            std::string::npos);
  EXPECT_EQ(plan_rows(options_of(",", false, "1.1,2.1"), part, part).fields.size(), 2U);
  EXPECT_EQ(fields_of_keys({parse_text_key("2,3"), parse_text_key("1,1n")}), (std::vector<std::size_t>{1, 2, 0}));
  for (const char* const word : {"1", "1.2,1", "1,1.2"}) EXPECT_TRUE(fields_of_keys({parse_text_key(word)}).empty());
}

// An empty line is no record to most readers.
TEST(RowShaper, WritesQuotesForARecordOfOneEmptyField) {
  Rows rows(options_of(",", true, "1.2"), {{0}, 2, column_names("id,x", {})}, {{0}, 1, column_names("id", {})});
  EXPECT_EQ(rows.pair("1,\n", "1\n"), "\"\"\n");
}

TEST(JoinColumns, AreNumbersOrNames) {
  using From = JoinColumn::From;
  EXPECT_EQ(parse_join_columns("0,1.2,2.10,a b,left.x,right.\"y\",\"1.2\",\"q\"\",\""),
            (std::vector<JoinColumn>{{From::kKeys},
                                     {From::kLeft, 1},
                                     {From::kRight, 9},
                                     {From::kEither, 0, "a b"},
                                     {From::kLeft, 0, "x"},
                                     {From::kRight, 0, "y"},
                                     {From::kEither, 0, "1.2"},
                                     {From::kEither, 0, "q\","}}));
  for (const char* const text : {"", "a,,b", "1.0", "\"a", "a\"b", "\"a\"b", "left."}) {
    EXPECT_NE(error_of([&] { parse_join_columns(text); }).find("invalid column"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace sortie
