#include "base/name_list.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sortie {
namespace {

using testing::EndsWith;
using testing::StartsWith;

TEST(NameList, HasAFewNamesAsTheyAre) {
  EXPECT_EQ(list_of_names({}), "none");
  EXPECT_EQ(list_of_names(std::vector<std::string>{"a"}), "'a'");
  EXPECT_EQ(list_of_names(std::vector<std::string>{"a", "b c"}), "'a', 'b c'");
  EXPECT_THAT(list_of_names(std::vector<std::string>(20, "x")), EndsWith("'x', 'x'"));
}

TEST(NameList, OfVeryManyNamesOrLongOnesStaysShort) {
  EXPECT_THAT(list_of_names(std::vector<std::string>(21, "x")), EndsWith("'x', 'x' and 1 more"));
  const std::string list = list_of_names(std::vector<std::string>(200'000, std::string(5000, 'x')));
  EXPECT_THAT(list, StartsWith("'xxx"));
  EXPECT_THAT(list, EndsWith("...' and 199980 more"));
  EXPECT_LT(list.size(), 1100U);
}

TEST(NameList, CutsLongTexts) {
  EXPECT_EQ(shortened("list<int64>"), "list<int64>");
  EXPECT_EQ(shortened(std::string(1 << 20, 'x')), std::string(400, 'x') + "...");
}

}  // namespace
}  // namespace sortie
