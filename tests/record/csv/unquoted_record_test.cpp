#include "record/csv/quoted_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/csv/csv_oracle.hpp"

namespace sortie {
namespace {

using testing::ElementsAre;

std::vector<std::string> values(std::string_view record, CsvSyntax syntax = {}) { return field_values(record, syntax); }

TEST(UnquotedRecord, HasTheValuesOfFields) {
  EXPECT_THAT(values(""), ElementsAre(""));
  EXPECT_THAT(values("a,b"), ElementsAre("a", "b"));
  EXPECT_THAT(values(",,"), ElementsAre("", "", ""));
  EXPECT_THAT(values("\"a,b\",c"), ElementsAre("a,b", "c"));
  EXPECT_THAT(values("\"a\nb\",\"\""), ElementsAre("a\nb", ""));
  EXPECT_THAT(values("\"say \"\"hi\"\"\",x"), ElementsAre("say \"hi\"", "x"));
  EXPECT_THAT(values("\"\"\"\""), ElementsAre("\""));
  EXPECT_THAT(values("\"a\tb\"\tc,d", '\t'), ElementsAre("a\tb", "c,d"));
}

TEST(UnquotedRecord, TakesQuotesThatOpenNoFieldAsTheyAre) {
  EXPECT_THAT(values("5\" disk,1"), ElementsAre("5\" disk", "1"));
  EXPECT_THAT(values("\"a\"b\"c,d\""), ElementsAre("ab\"c", "d\""));
  EXPECT_THAT(values(" \"a,b\""), ElementsAre(" \"a", "b\""));
}

TEST(UnquotedRecord, TakesQuotesAsTheyAreWhereTheyMeanNothing) {
  EXPECT_THAT(values("\"a,b\",\"\"", {',', Quoting::kNone}), ElementsAre("\"a", "b\"", "\"\""));
}

TEST(UnquotedRecord, HasWhatStandsBehindBackslashes) {
  EXPECT_THAT(values("\"a \\\" \\\\\",\"b\\n\",c\\\"d", {',', Quoting::kBackslash}),
              ElementsAre("a \" \\", "b\\n", "c\\\"d"));
}

TEST(UnquotedRecord, IsReadUpToTheLastFieldWanted) {
  UnquotedRecord unquoted;
  unquote_record("\"a,1\",b,\"c\"", ',', 2, unquoted);
  EXPECT_EQ(unquoted.text, "a,1,b");
  EXPECT_THAT(unquoted.ends, ElementsAre(3, 5));
  unquote_record("x,\"y\"", ',', 5, unquoted);
  EXPECT_EQ(unquoted.text, "x,y");
  EXPECT_THAT(unquoted.ends, ElementsAre(1));
}

TEST(UnquotedRecord, HasTheValuesThatAByteByByteReaderFinds) {
  const std::string text = test::random_csv(20000, 1, "ab,,\"\"\n") + test::well_formed_csv(500, 2, "\r\n");
  const std::string escaped = test::random_csv(20000, 3, "ab,,\"\"\\\n");
  for (const auto& [csv, syntax] :
       {std::pair<std::string, CsvSyntax>(text, {}), {escaped, {',', Quoting::kBackslash}}}) {
    for (const test::CsvRecord& record : test::read_csv(csv, syntax).records) {
      EXPECT_EQ(values(without_line_end(record.raw), syntax), record.values) << record.raw;
    }
  }
}

TEST(UnquotedRecord, LosesItsLineEnd) {
  EXPECT_EQ(without_line_end("a\n"), "a");
  EXPECT_EQ(without_line_end("a\r\n"), "a");
  EXPECT_EQ(without_line_end("a"), "a");
  EXPECT_EQ(without_line_end("\n"), "");
}

}  // namespace
}  // namespace sortie
