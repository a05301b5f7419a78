#include "pipeline/setup/chain_shape.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

SortOptions in_input_order() {
  SortOptions options;
  options.unique = true;
  options.top_records = 5;
  options.output_order = OutputOrder::kInput;
  return options;
}

TEST(ChainShape, IsOneSortIfNothingElseIsAskedFor) {
  SortOptions options;
  options.unique = true;
  options.top_records = 5;
  EXPECT_EQ(chain_length(options), 1U);
  EXPECT_EQ(first_of_chain(options).top_records, 5U);
  EXPECT_EQ(share_of_chain(1000, 1), 1000U);
}

TEST(ChainShape, LimitsOnlyTheLastSort) {
  const SortOptions options = in_input_order();
  EXPECT_EQ(chain_length(options), 2U);
  EXPECT_FALSE(has_third_sort(options));
  EXPECT_EQ(first_of_chain(options).top_records, 0U);
  EXPECT_EQ(second_of_chain(options, 1, kMinMemoryBytes).top_records, 6U);
}

TEST(ChainShape, DrawsASampleBeforeAllElse) {
  SortOptions options = in_input_order();
  options.sample_records = 9;
  options.format.descending = true;
  EXPECT_TRUE(has_third_sort(options));
  const SortOptions first = first_of_chain(options);
  EXPECT_TRUE(first.format.shuffle);
  EXPECT_FALSE(first.format.descending);
  EXPECT_FALSE(first.unique);
  EXPECT_EQ(first.top_records, 9U);
  EXPECT_EQ(second_of_chain(options, 1, kMinMemoryBytes).top_records, 0U);
  const SortOptions third = third_of_chain(options, 1, kMinMemoryBytes);
  EXPECT_EQ(third.top_records, 5U);
  EXPECT_EQ(third.sample_records, 0U);
  EXPECT_TRUE(third.format.descending);
  EXPECT_EQ(chain_length(third), 2U);
  options.unique = false;
  EXPECT_FALSE(has_third_sort(options));
}

TEST(ChainShape, SharesMemoryEquallyButNeverTooLittle) {
  EXPECT_EQ(share_of_chain(std::uint64_t{90} << 20, 3), std::uint64_t{30} << 20);
  EXPECT_EQ(share_of_chain(kMinMemoryBytes, 3), kMinMemoryBytes);
}

}  // namespace
}  // namespace sortie
