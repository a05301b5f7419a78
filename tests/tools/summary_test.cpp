#include "tools/check/summary.hpp"

#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie::tools {
namespace {

Summary sample() { return {Layout{100}, 3, 300, {0xabcdef, 1}}; }

TEST(Summary, JsonGoesThereAndBack) { EXPECT_EQ(summary_from_json(to_json(sample()), "s"), sample()); }

TEST(Summary, OtherTextIsRefusedByName) {
  for (const char* text : {"", "{}", "[1]", "{\"records\": 3}", "garbage"}) {
    try {
      summary_from_json(text, "'sum.json'");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("'sum.json' is not a summary"), 0) << error.what();
    }
  }
}

TEST(Summary, EqualSummariesDoNotDiffer) { EXPECT_FALSE(describe_difference(sample(), sample())); }

TEST(Summary, LostRecordsAreNamedByTheirNumber) {
  Summary output = sample();
  output.records = 2;
  EXPECT_EQ(describe_difference(output, sample()), "there are 2 records, the input has 3");
}

TEST(Summary, ChangedRecordsAreFound) {
  Summary output = sample();
  output.checksum.low ^= 1;
  EXPECT_NE(describe_difference(output, sample())->find("10000000000abcdee"), std::string::npos);
}

TEST(Summary, AnotherLayoutCannotBeCompared) {
  Summary output = sample();
  output.layout = Layout{0, '\0'};
  EXPECT_THROW(describe_difference(output, sample()), Error);
}

}  // namespace
}  // namespace sortie::tools
