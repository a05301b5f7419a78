// Rows that stay in memory while only their places are sorted, and when they do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "table/table_support.hpp"

namespace sortie::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class HeldRowsTest : public TableTest {
 protected:
  HeldRowsTest() { options_.keys = {{.column = "key"}}; }
};

TEST_F(HeldRowsTest, AreSortedByTheirPlaces) {
  const auto batch = batch_of({int64_column("key", {3, 1, 3, 2}), text_column("text", "u", {"a", "b", "c", "d"})});
  const RowTexts rows = sorted({batch, batch});
  EXPECT_THAT(report_.engine_reason, HasSubstr("places"));
  EXPECT_EQ(report_.output_records, 8u);
  EXPECT_EQ(report_.output_bytes, report_.input_bytes);
  EXPECT_TRUE(report_.verified);
  EXPECT_THAT(column(rows, 0), ElementsAre("1", "1", "2", "2", "3", "3", "3", "3"));
  EXPECT_THAT(column(rows, 1), ElementsAre("'b'", "'b'", "'d'", "'d'", "'a'", "'c'", "'a'", "'c'"));
}

TEST_F(HeldRowsTest, ComeInBatchesOfTheRowsThatAreAskedFor) {
  options_.batch_rows = 3;
  EXPECT_THAT(column(sorted({batch_of({int64_column("key", {7, 6, 5, 4, 3, 2, 1})})}), 0),
              ElementsAre("1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(batch_lengths_, ElementsAre(3, 3, 1));
}

TEST_F(HeldRowsTest, BecomeRecordsWhereTheyAreTooMany) {
  options_.sort.memory_bytes = kMinMemoryBytes;
  std::vector<HandBuilt> batches;
  std::vector<std::optional<std::int64_t>> keys(500);
  for (std::int64_t number = 0; number < 20; ++number) {
    for (std::int64_t i = 0; i < 500; ++i) keys[static_cast<std::size_t>(i)] = 20 * (500 - i) + number;
    batches.push_back(batch_of({int64_column("key", keys)}));
  }
  const RowTexts rows = sorted(batches);
  EXPECT_THAT(report_.engine_reason, Not(HasSubstr("places")));
  ASSERT_EQ(rows.size(), 10'000u);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i][0], std::to_string(i + 20));
}

TEST_F(HeldRowsTest, AreCheckedForOptionsLikeAllOthers) {
  options_.sort.merge_fan_in = 1;
  EXPECT_THROW(sorted({batch_of({int64_column("key", {1})})}), Error);
}

}  // namespace
}  // namespace sortie::test
