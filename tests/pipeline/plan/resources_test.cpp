// Memory that long records take beyond their planned shares.
#include "pipeline/plan/resources.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

TEST(Resources, CountWhatClaimsHold) {
  Resources resources({100, 0});
  Claim first(resources);
  {
    Claim second(resources);
    first.set(60);
    second.set(40);
    EXPECT_EQ(resources.held_bytes(), 100U);
    EXPECT_FALSE(resources.are_short(1));
    first.set(61);
    EXPECT_TRUE(resources.are_short(1));
    EXPECT_FALSE(resources.are_short(2));
    const Claim third(std::move(second));
    EXPECT_EQ(third.bytes(), 40U);
    EXPECT_EQ(resources.held_bytes(), 101U);
  }
  EXPECT_EQ(resources.held_bytes(), 61U);
  EXPECT_FALSE(resources.are_short(0));
  first.set(1000);
  EXPECT_TRUE(resources.are_short(0));
  EXPECT_FALSE(resources.are_short(1));
}

TEST(Resources, GrowWithTheLongestRecord) {
  Resources resources({100, 5});
  EXPECT_EQ(resources.most_bytes(), 100U);
  resources.meet_record(1000);
  resources.meet_record(10);
  EXPECT_EQ(resources.most_bytes(), 5000U);
  resources.set_limit({100, 10});
  EXPECT_EQ(resources.most_bytes(), 10'000U);
}

}  // namespace
}  // namespace sortie
