#include "kernels/refine/refine_plan.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sortie::kernels {
namespace {

KeyPlan line_plan(bool descending) {
  KeyPlan plan;
  plan.whole_line = true;
  plan.descending_line = descending;
  return plan;
}

TEST(SegmentKey, FixedKeysAreToldApartBySegmentAlone) {
  const SegmentKey key{KeyPlan{}};
  EXPECT_EQ(key.of(77, 100, 3), 77U);
  EXPECT_TRUE(key.goes_on(77));
  EXPECT_EQ(key.bits(2).end, 1U);
  EXPECT_EQ(key.bits(std::uint64_t{1} << 20).end, 20U);
  EXPECT_EQ(key.bits((std::uint64_t{1} << 32) - 1).end, 31U);
}

TEST(SegmentKey, LineThatEndsFirstComesFirst) {
  const SegmentKey key(line_plan(false));
  EXPECT_LT(key.of(3, 0, 1), key.of(3, 1, 1));
  EXPECT_LT(key.of(3, 7, 1), key.of(3, 8, 1));
  EXPECT_LT(key.of(3, 16, 2), key.of(3, 17, 2));
  EXPECT_EQ(key.of(3, 17, 2), key.of(3, 1000, 2));
  EXPECT_LT(key.of(3, 1000, 2), key.of(4, 9, 2));
}

TEST(SegmentKey, DescendingLineThatEndsFirstComesLast) {
  const SegmentKey key(line_plan(true));
  EXPECT_GT(key.of(3, 0, 1), key.of(3, 1, 1));
  EXPECT_GT(key.of(3, 16, 2), key.of(3, 17, 2));
  EXPECT_LT(key.of(3, 9, 2), key.of(4, 1000, 2));
}

TEST(SegmentKey, OnlyLinesLongerThanTheWordGoOn) {
  for (const bool descending : {false, true}) {
    const SegmentKey key(line_plan(descending));
    EXPECT_FALSE(key.goes_on(key.of(5, 0, 1)));
    EXPECT_FALSE(key.goes_on(key.of(5, 8, 1)));
    EXPECT_TRUE(key.goes_on(key.of(5, 9, 1)));
    EXPECT_TRUE(key.goes_on(key.of(5, 99, 2)));
  }
}

TEST(CommonWords, LinesShareAWordThatBothGoIntoAndThatIsEqual) {
  const std::string text = "aaaaaaaabbbbbbbbcc\naaaaaaaabbbbbbbbcd\naaaaaaaabbbbbbbb\n";
  const std::uint64_t offsets[] = {0, 19, 38, 55};
  for (const bool descending : {false, true}) {
    const RecordKeys lines{line_plan(descending), reinterpret_cast<const std::byte*>(text.data()), 0, offsets};
    EXPECT_TRUE(share_word(lines, 0, 1, 0));
    EXPECT_TRUE(share_word(lines, 0, 1, 1));
    EXPECT_FALSE(share_word(lines, 0, 1, 2));
    EXPECT_TRUE(share_word(lines, 0, 2, 1));
    EXPECT_FALSE(share_word(lines, 0, 2, 2)) << "one has ended";
    EXPECT_FALSE(share_word(lines, 2, 2, 2)) << "both have ended: the round by this word says that they are equal";
  }
}

TEST(CommonWords, LooksReachTwiceAsFarAfterEachThatFoundAllInCommon) {
  CommonWordSearch search;
  const std::uint64_t first = search.next_reach(1'000'000);
  search.take(first);
  EXPECT_EQ(search.next_reach(1'000'000), 2 * first);
  search.take(first);
  EXPECT_EQ(search.next_reach(1'000'000), first);
  EXPECT_EQ(search.next_reach(5), 5U);
}

TEST(SegmentKey, KeysUseTheBitsTheySay) {
  const SegmentKey key(line_plan(false));
  for (const std::uint64_t tied : {2ULL, 3ULL, 1000ULL, 1ULL << 29}) {
    const auto last_segment = static_cast<std::uint32_t>(tied / 2 - 1);
    const BitRange bits = key.bits(tied);
    EXPECT_EQ(bits.begin, 0U);
    EXPECT_EQ(std::uint64_t{key.of(last_segment, 99, 1)} >> bits.end, 0U) << tied;
  }
}

}  // namespace
}  // namespace sortie::kernels
