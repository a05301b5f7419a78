#include "pipeline/scan/sorted_scan.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(OrderScan, FindsDisorderWithinAndBetweenPieces) {
  const Format format = parsed("lines");
  const RecordCodec codec = RecordCodec::plain(format);
  OrderScan scan(codec, false);
  scan.begin_input("first");
  EXPECT_FALSE(scan.next(as_bytes("a\nb\n"), 4));
  EXPECT_FALSE(scan.next(as_bytes(""), 0));
  EXPECT_FALSE(scan.next(as_bytes("b\n"), 2));
  const auto between = scan.next(as_bytes("a\nc\n"), 4);
  ASSERT_TRUE(between);
  EXPECT_EQ(between->input, "first");
  EXPECT_EQ(between->record, 4U);
  EXPECT_EQ(between->offset, 6U);
  EXPECT_EQ(between->text, "a");

  OrderScan other(codec, false);
  other.begin_input("second");
  EXPECT_FALSE(other.next(as_bytes("a\n"), 2));
  const auto within = other.next(as_bytes("bb\nbbb\nba\n"), 10);
  ASSERT_TRUE(within);
  EXPECT_EQ(within->record, 4U);
  EXPECT_EQ(within->offset, 9U);
  EXPECT_EQ(within->text, "ba");
}

TEST(OrderScan, CountsFromTheBeginningOfEachInput) {
  const RecordCodec codec = RecordCodec::plain(parsed("lines"));
  OrderScan scan(codec, false);
  scan.begin_input("first");
  EXPECT_FALSE(scan.next(as_bytes("a\nm\n"), 4));
  scan.begin_input("second");
  const auto disorder = scan.next(as_bytes("b\n"), 2);
  ASSERT_TRUE(disorder) << "the last record of the input before counts";
  EXPECT_EQ(disorder->input, "second");
  EXPECT_EQ(disorder->record, 1U);
  EXPECT_EQ(disorder->offset, 0U);
}

TEST(OrderScan, TakesEqualKeysForDisorderIfTheyMustBeUnique) {
  const RecordCodec codec = RecordCodec::plain(parsed("fixed:2", {"bytes@0:1"}));
  OrderScan scan(codec, true);
  EXPECT_FALSE(scan.next(as_bytes("a1b2"), 4));
  const auto disorder = scan.next(as_bytes("b3"), 2);
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->offset, 4U);
  EXPECT_EQ(disorder->text, "");
}

}  // namespace
}  // namespace sortie
