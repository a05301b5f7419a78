// Values of JSON and their texts.
#include "base/json.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

TEST(Json, KeepsTheOrderOfMembers) {
  const std::string text = R"({"b":1,"a":[true,null,"x"],"c":{"z":-2,"y":1.5}})";
  EXPECT_EQ(json_text(parse_json(text)), text);
}

TEST(Json, IndentsEachLevelByTwoBlanks) {
  EXPECT_EQ(indented_json_text({{"b", 1}, {"a", {1, 2}}}), "{\n  \"b\": 1,\n  \"a\": [\n    1,\n    2\n  ]\n}");
}

TEST(Json, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(json_text("a\xff\n"), "\"a\xef\xbf\xbd\\n\"");
  EXPECT_EQ(indented_json_text("a\xff"), "\"a\xef\xbf\xbd\"");
}

TEST(Json, RefusesOtherTexts) {
  for (const char* const text : {"", "{", "{\"a\":1}x", "nul", "\"a", "[1,]"}) {
    EXPECT_THROW(parse_json(text), Json::parse_error) << text;
  }
}

}  // namespace
}  // namespace sortie
