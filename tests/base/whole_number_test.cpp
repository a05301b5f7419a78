#include "base/whole_number.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace sortie {
namespace {

TEST(WholeNumber, IsAllOfTheText) {
  EXPECT_EQ(whole_number<std::uint64_t>("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(whole_number<int>("-7"), -7);
  EXPECT_EQ(whole_number<std::uint32_t>("755", 8), 0755U);
  EXPECT_EQ(whole_number<std::uint64_t>("ff", 16), 255U);
}

TEST(WholeNumber, IsNothingForOtherText) {
  for (const char* const text : {"", " 1", "1 ", "+1", "1.0", "x", "18446744073709551616", "-1"}) {
    EXPECT_FALSE(whole_number<std::uint64_t>(text)) << text;
  }
  EXPECT_FALSE(whole_number<int>("2147483648"));
  EXPECT_FALSE(whole_number<std::uint32_t>("8", 8));
}

}  // namespace
}  // namespace sortie
