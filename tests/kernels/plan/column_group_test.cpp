#include "kernels/columns/column_group.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace sortie::kernels {
namespace {

std::vector<unsigned> column_counts(const std::vector<unsigned>& column_bytes) {
  std::vector<KeyColumn> columns;
  for (const unsigned bytes : column_bytes)
    columns.push_back(make_key_column(nullptr, FieldKind::kUnsigned, bytes, false));
  std::vector<unsigned> counts;
  for (const ColumnGroup& group : group_columns(columns)) counts.push_back(group.column_count);
  return counts;
}

TEST(ColumnGroups, HoldAsManyNeighboursAsFitInto64Bits) {
  EXPECT_EQ(column_counts({8}), (std::vector<unsigned>{1}));
  EXPECT_EQ(column_counts({4, 4}), (std::vector<unsigned>{2}));
  EXPECT_EQ(column_counts({4, 8, 4}), (std::vector<unsigned>{1, 1, 1}));
  EXPECT_EQ(column_counts({4, 2, 2, 1, 8, 1}), (std::vector<unsigned>{3, 1, 1, 1}));
  EXPECT_EQ(column_counts(std::vector<unsigned>(9, 1)), (std::vector<unsigned>{8, 1}));
}

TEST(ColumnGroups, NumberRowsInTheOrderOfTheirColumns) {
  const std::vector<std::int8_t> small{-3, 5, -3, -3};
  const std::vector<float> floats{1.5F, -2.0F, -0.0F, 0.0F};
  const std::vector<std::uint16_t> words{7, 7, 9, 1};
  const KeyColumn columns[] = {make_key_column(small.data(), FieldKind::kSigned, 1, false),
                               make_key_column(floats.data(), FieldKind::kFloat, 4, true),
                               make_key_column(words.data(), FieldKind::kUnsigned, 2, false)};
  const std::vector<ColumnGroup> groups = group_columns(columns);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].bits, 56U);
  // The first column ascends, the second descends: +1.5, +0, -0.
  EXPECT_LT(groups[0].number(0), groups[0].number(3));
  EXPECT_LT(groups[0].number(3), groups[0].number(2));
  EXPECT_LT(groups[0].number(2), groups[0].number(1));
  EXPECT_EQ(groups[0].number(0) & 0xffff, 7U);
  EXPECT_EQ(groups[0].number(0) >> 48, 0x7dU);
  EXPECT_EQ(groups[0].number(0) >> 16 & 0xffffffff, ~(std::bit_cast<std::uint32_t>(1.5F) | 0x80000000U));
}

TEST(ColumnGroups, OfOneColumnAreItsCodes) {
  const std::vector<std::int64_t> numbers{-1, 0, INT64_MIN, INT64_MAX};
  const KeyColumn column = make_key_column(numbers.data(), FieldKind::kSigned, 8, false);
  const std::vector<ColumnGroup> groups = group_columns({&column, 1});
  EXPECT_EQ(groups[0].number(0), 0x7fffffffffffffffU);
  EXPECT_EQ(groups[0].number(1), 0x8000000000000000U);
  EXPECT_EQ(groups[0].number(2), 0U);
  EXPECT_EQ(groups[0].number(3), ~std::uint64_t{0});
}

}  // namespace
}  // namespace sortie::kernels
