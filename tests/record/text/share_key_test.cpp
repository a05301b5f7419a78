// Shares of all records: which one a text falls into, as the header says that others compute it, and how they are
// written.
#include "record/text/share_key.hpp"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

namespace sortie {
namespace {

using testing::HasSubstr;

std::string refusal_of_shares(const std::string& list) {
  try {
    parse_shares(list);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Shares, AreDecimalNumbersThatAddUpToOne) {
  const auto shares = parse_shares("train=0.98,valid=.01,test=0.010000000");
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0], (Share{"train", 980'000'000}));
  EXPECT_EQ(shares[2], (Share{"test", 10'000'000}));
  EXPECT_EQ(parse_shares("all=1").size(), 1U);
  EXPECT_EQ(parse_shares("all=1,none=0").size(), 2U);
  for (const char* const list : {"a=0.5", "a=0.5,b=0.6", "a=1,b=0.000000001"}) {
    EXPECT_THAT(refusal_of_shares(list), HasSubstr("do not add up to 1")) << list;
  }
  for (const char* const list :
       {"", "a", "=1", "a=", "a=-1", "a=.", "a=1e0", "a=2", "a=0.1234567891", "a=1,", "a=1 "}) {
    EXPECT_THAT(refusal_of_shares(list), HasSubstr("write NAME=SHARE")) << list;
  }
  EXPECT_THAT(refusal_of_shares("a=0.5,a=0.5"), HasSubstr("is named twice"));
}

// Of the MD5 digest of "1", c4ca4238a0b92382..., the first 8 bytes are 0.768711... of 2^64; of "", d41d8cd98f00b204,
// 0.828576...
TEST(Shares, AreToldByTheFirstBytesOfTheDigest) {
  EXPECT_EQ(share_of_text("1", parse_shares("a=0.768711222,b=0.231288778")), 1U);
  EXPECT_EQ(share_of_text("1", parse_shares("a=0.768711223,b=0.231288777")), 0U);
  EXPECT_EQ(share_of_text("", parse_shares("a=0.8,b=0.02,c=0.1,d=0.08")), 2U);
  EXPECT_EQ(share_of_text("1", parse_shares("none=0,all=1")), 1U);
}

TEST(Shares, HoldAboutAsManyTextsAsTheySay) {
  const auto shares = parse_shares("a=0.7,b=0.2,c=0.1");
  std::array<int, 3> counts{};
  for (int i = 0; i < 10000; ++i) ++counts[share_of_text(std::to_string(i), shares)];
  EXPECT_NEAR(counts[0], 7000, 200);
  EXPECT_NEAR(counts[1], 2000, 200);
  EXPECT_NEAR(counts[2], 1000, 200);
}

}  // namespace
}  // namespace sortie
