#include "pipeline/scan/record_groups.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

bool begin_alike(Record a, Record b) { return a.front() == b.front(); }

std::vector<std::string> ranges_of(const Layout& layout, const std::string& records, std::size_t range_bytes) {
  std::vector<std::string> ranges;
  for_each_range_of_groups(layout, as_bytes(records), range_bytes, begin_alike,
                           [&](std::span<const std::byte> range) { ranges.emplace_back(as_text(range)); });
  return ranges;
}

TEST(RecordGroups, BeginAndEndWhereNeighboursDiffer) {
  const Layout layout;
  const std::string lines = "a1\na2\nb1\nc1\nc2\nc3\n";
  EXPECT_EQ(bytes_of_group(layout, as_bytes(lines), as_bytes("a0\n"), begin_alike), 6U);
  EXPECT_EQ(bytes_of_group(layout, as_bytes(lines), as_bytes("b0\n"), begin_alike), 0U);
  EXPECT_EQ(bytes_of_group(layout, {}, as_bytes("a0\n"), begin_alike), 0U);
  EXPECT_EQ(begin_of_last_group(layout, as_bytes(lines), begin_alike), 9U);
  EXPECT_EQ(begin_of_last_group(layout, as_bytes("a1\na2\n"), begin_alike), 0U);
  EXPECT_EQ(begin_of_last_group(layout, as_bytes("a1\n"), begin_alike), 0U);
}

TEST(RecordGroups, AreWholeInEveryRange) {
  const std::string records = "a1a2b1c1c2c3d1";
  const std::vector<std::string> groups = {"a1a2", "b1", "c1c2c3", "d1"};
  EXPECT_EQ(ranges_of({2}, records, 1), groups);
  EXPECT_EQ(ranges_of({2}, records, 5), (std::vector<std::string>{"a1a2b1", "c1c2c3", "d1"}));
  EXPECT_EQ(ranges_of({2}, records, 7), (std::vector<std::string>{"a1a2b1c1c2c3", "d1"}));
  EXPECT_EQ(ranges_of({2}, records, 100), std::vector<std::string>{records});
  EXPECT_TRUE(ranges_of({2}, "", 1).empty());
}

}  // namespace
}  // namespace sortie
