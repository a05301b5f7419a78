#include "pipeline/place_totals.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/error.hpp>

namespace sortie {
namespace {

/// The message of the Error with which a sort of `count` places ends that gives `places`.
std::string fault_of(std::uint64_t count, const std::vector<std::int64_t>& places, bool in_order = true) {
  PlaceTotals totals{SortOptions{}};
  try {
    totals.add(places, in_order);
    totals.finish(count, 0);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PlaceTotals, TakeEveryPlaceOnceInAnyOrder) {
  EXPECT_EQ(fault_of(0, {}), "");
  EXPECT_EQ(fault_of(5, {3, 0, 4, 1, 2}), "");
}

TEST(PlaceTotals, FindWhatIsLostOrComesTwice) {
  EXPECT_NE(fault_of(5, {3, 0, 4, 1}), "");
  EXPECT_NE(fault_of(5, {3, 0, 4, 1, 1}), "");
  EXPECT_NE(fault_of(5, {3, 0, 4, 1, 5}), "");
  EXPECT_NE(fault_of(5, {3, 0, 4, 1, 2, 2}), "");
}

TEST(PlaceTotals, FindRowsThatAreNotInOrder) { EXPECT_NE(fault_of(2, {0, 1}, false), ""); }

TEST(PlaceTotals, CountAllThatManyPartsGive) {
  PlaceTotals totals{SortOptions{}};
  constexpr std::int64_t kCount = 10'000;
  for (std::int64_t place = kCount; place-- > 0;) totals.add(std::vector<std::int64_t>{place}, true);
  const SortReport report = totals.finish(kCount, 160'000);
  EXPECT_EQ(report.output_records, 10'000u);
  EXPECT_EQ(report.output_bytes, 160'000u);
  EXPECT_TRUE(report.verified);
  EXPECT_GT(report.memory_budget_bytes, 0u);
}

TEST(PlaceTotals, ReportTheMemoryThatWasAskedFor) {
  SortOptions options;
  options.memory_bytes = 100 << 20;
  EXPECT_EQ(PlaceTotals(options).finish(0, 0).memory_budget_bytes, options.memory_bytes);
}

TEST(PlaceTotals, RefuseOptionsThatNoSortTakes) {
  SortOptions options;
  options.merge_fan_in = 1;
  EXPECT_THROW(PlaceTotals{options}, Error);
}

}  // namespace
}  // namespace sortie
