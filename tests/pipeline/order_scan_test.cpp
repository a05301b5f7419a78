#include "pipeline/order_scan.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(OrderScan, FindsDisorderWithinAndBetweenPieces) {
  const Format format = parsed("lines");
  const RecordOrder order(format);
  OrderScan scan(order, false);
  scan.begin_input("first");
  EXPECT_FALSE(scan.next(as_bytes("a\nb\n")));
  EXPECT_FALSE(scan.next(as_bytes("")));
  EXPECT_FALSE(scan.next(as_bytes("b\n")));
  const auto between = scan.next(as_bytes("a\nc\n"));
  ASSERT_TRUE(between);
  EXPECT_EQ(between->input, "first");
  EXPECT_EQ(between->record, 4U);
  EXPECT_EQ(between->offset, 6U);
  EXPECT_EQ(between->text, "a");

  OrderScan other(order, false);
  other.begin_input("second");
  EXPECT_FALSE(other.next(as_bytes("a\n")));
  const auto within = other.next(as_bytes("bb\nbbb\nba\n"));
  ASSERT_TRUE(within);
  EXPECT_EQ(within->record, 4U);
  EXPECT_EQ(within->offset, 9U);
  EXPECT_EQ(within->text, "ba");
}

TEST(OrderScan, CountsFromTheBeginningOfEachInput) {
  const RecordOrder order(parsed("lines"));
  OrderScan scan(order, false);
  scan.begin_input("first");
  EXPECT_FALSE(scan.next(as_bytes("a\nm\n")));
  scan.begin_input("second");
  const auto disorder = scan.next(as_bytes("b\n"));
  ASSERT_TRUE(disorder) << "the last record of the input before counts";
  EXPECT_EQ(disorder->input, "second");
  EXPECT_EQ(disorder->record, 1U);
  EXPECT_EQ(disorder->offset, 0U);
}

TEST(OrderScan, TakesEqualKeysForDisorderIfTheyMustBeUnique) {
  const RecordOrder order(parsed("fixed:2", {"bytes@0:1"}));
  OrderScan scan(order, true);
  EXPECT_FALSE(scan.next(as_bytes("a1b2")));
  const auto disorder = scan.next(as_bytes("b3"));
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->offset, 4U);
  EXPECT_EQ(disorder->text, "");
}

}  // namespace
}  // namespace sortie
