#include "record/record_scan.hpp"
#include "record/record_totals.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

class SliceTotalsTest : public testing::TestWithParam<const char*> {
 protected:
  /// Feeds the slices between `cuts` in random order, except those that `is_left_out` selects.
  template <class LeftOut>
  RecordTotals count(std::span<const std::byte> piece, std::vector<std::size_t> cuts, bool checksum,
                     LeftOut is_left_out) {
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::span<const std::byte>> slices;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (!is_left_out(i)) slices.push_back(piece.subspan(cuts[i], cuts[i + 1] - cuts[i]));
    }
    std::shuffle(slices.begin(), slices.end(), random_);
    SliceTotals totals(format_, checksum);
    totals.start(piece.data());
    for (const auto slice : slices) totals.add(slice);
    return totals.finish(whole_records(layout_of(format_), piece));
  }

  Format format_ = parsed(GetParam());
  std::mt19937_64 random_{5};
};

TEST_P(SliceTotalsTest, AreTheTotalsOfTheWholeHoweverItIsSliced) {
  const std::string bytes = make_records(format_, Distribution::kUniform, 200);
  for (const std::size_t tail : {0, 1, 3}) {
    const std::span<const std::byte> piece = as_bytes(bytes).first(bytes.size() - tail);
    const RecordTotals expected = totals_of(format_, piece.first(whole_records(layout_of(format_), piece)), true);
    for (const std::size_t cut_count : {2, 3, 10, 300}) {
      std::vector<std::size_t> cuts = {0, piece.size()};
      while (cuts.size() < cut_count) cuts.push_back(random_() % piece.size());
      EXPECT_EQ(count(piece, cuts, true, [](std::size_t) { return false; }), expected) << cut_count << " cuts";
      EXPECT_EQ(count(piece, cuts, true, [](std::size_t i) { return i % 3 == 0; }), expected) << cut_count << " cuts";
      EXPECT_EQ(count(piece, cuts, true, [](std::size_t) { return true; }), expected);
      EXPECT_EQ(count(piece, cuts, false, [](std::size_t i) { return i % 2 == 0; }),
                totals_of(format_, piece.first(whole_records(layout_of(format_), piece)), false));
    }
  }
}

TEST_P(SliceTotalsTest, ForgetThePieceBefore) {
  const std::string first = make_records(format_, Distribution::kUniform, 100);
  const std::string second = make_records(format_, Distribution::kReversed, 50);
  SliceTotals totals(format_, true);
  totals.start(as_bytes(first).data());
  totals.add(as_bytes(first));
  EXPECT_EQ(totals.finish(first.size()), totals_of(format_, as_bytes(first), true));
  totals.start(as_bytes(second).data());
  EXPECT_EQ(totals.finish(second.size()), totals_of(format_, as_bytes(second), true));
  totals.start(as_bytes(second).data());
  EXPECT_EQ(totals.finish(0), RecordTotals());
}

INSTANTIATE_TEST_SUITE_P(Formats, SliceTotalsTest, testing::Values("lines", "fixed:1", "fixed:10", "u32", "f64"));

}  // namespace
}  // namespace sortie
