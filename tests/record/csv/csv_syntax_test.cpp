#include "record/csv/csv_syntax.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "record/csv/quoted_records.hpp"

namespace sortie {
namespace {

std::string field(std::string_view value, CsvSyntax syntax) {
  std::string out;
  append_csv_field(value, syntax, out);
  return out;
}

TEST(CsvField, IsQuotedWhereItMustBe) {
  EXPECT_EQ(field("a b", {}), "a b");
  EXPECT_EQ(field("a,\"b\"\n", {}), "\"a,\"\"b\"\"\n\"");
  EXPECT_EQ(field("a,b", '\t'), "a,b");
  EXPECT_EQ(field("\\", {',', Quoting::kBackslash}), "\\");
  EXPECT_EQ(field("\\,\"", {',', Quoting::kBackslash}), "\"\\\\,\\\"\"");
}

TEST(CsvField, HasNoQuotesWhereTheyMeanNothing) { EXPECT_EQ(field("\"a\"", {',', Quoting::kNone}), "\"a\""); }

TEST(CsvField, IsReadAsWhatWasWritten) {
  for (const CsvSyntax syntax : {CsvSyntax(), CsvSyntax('\t'), CsvSyntax(',', Quoting::kBackslash)}) {
    for (const std::string value : {"", "a", "\"", "\\", "\\\"", "a\\n,\t\r\n\"b\"", "\"\"", "\\\\"}) {
      EXPECT_EQ(field_values(field(value, syntax), syntax), std::vector<std::string>{value}) << value;
    }
  }
}

}  // namespace
}  // namespace sortie
