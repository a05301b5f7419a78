#include "kernels/segmented_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernels/segment_checks.hpp"
#include "kernels/segmented/segmented_plan.hpp"
#include "kernels/special_numbers.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSegmentedSortSeed = 61;

/// Lengths around each team's capacity, and of segments that no block holds, in random order.
std::vector<std::uint64_t> mixed_lengths() {
  std::vector<std::uint64_t> lengths = {0, 1, 2, 3, 7, 5000, 3 * kBitonicTile + 5, 10 * kBitonicTile};
  for (const std::uint64_t capacity :
       {4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096}) {
    lengths.insert(lengths.end(), {capacity - 1, capacity, capacity + 1});
  }
  const std::vector<std::uint64_t> once = lengths;
  for (int copy = 0; copy < 4; ++copy) lengths.insert(lengths.end(), once.begin(), once.end());
  std::ranges::shuffle(lengths, std::mt19937_64(kSegmentedSortSeed));
  return lengths;
}

/// `count` lengths in [low, high].
std::vector<std::uint64_t> random_lengths(std::uint64_t count, std::uint64_t low, std::uint64_t high) {
  std::mt19937_64 random(kSegmentedSortSeed);
  std::vector<std::uint64_t> lengths(count);
  for (std::uint64_t& length : lengths) length = low + random() % (high - low + 1);
  return lengths;
}

/// Items for the segments, with some before the first segment and some behind the last.
template <class Number>
std::vector<Number> items_for(const std::vector<std::uint64_t>& offsets, Distribution distribution) {
  return numbers_with_specials<Number>(distribution, offsets.back() + 9, kSegmentedSortSeed);
}

template <class Number>
class SegmentedSortGpu : public testing::Test {};
TYPED_TEST_SUITE(SegmentedSortGpu, NumberTypes);

TYPED_TEST(SegmentedSortGpu, SegmentsOfAllLengthsSideBySide) {
  SORTIE_REQUIRE_GPU();
  const auto offsets = segment_offsets(mixed_lengths(), 3);
  for (const Distribution distribution : kAllDistributions) {
    const auto numbers = items_for<TypeParam>(offsets, distribution);
    for (const SortOrder order : kBothOrders) {
      SCOPED_TRACE(to_string(distribution) + ", " + to_string(order) + ", seed " + std::to_string(kSegmentedSortSeed));
      expect_segments_sorted(numbers, offsets, order);
    }
  }
}

/// Few enough segments for a race checker.
TYPED_TEST(SegmentedSortGpu, OneSegmentForEachKindOfTeam) {
  SORTIE_REQUIRE_GPU();
  const auto offsets =
      segment_offsets({3, 7, 15, 30, 60, 90, 120, 180, 250, 0, 380, 500, 700, 1000, 1500, 2000, 3000, 4000, 4500}, 1);
  expect_segments_sorted(items_for<TypeParam>(offsets, Distribution::kUniform), offsets, SortOrder::kDescending);
}

TYPED_TEST(SegmentedSortGpu, TheLastItemsInOrderAreNotTakenForPadding) {
  SORTIE_REQUIRE_GPU();
  const auto offsets = segment_offsets({1, 5, 20, 300, 1500, 5000, 7}, 0);
  for (const SortOrder order : kBothOrders) {
    const auto last = from_codes<TypeParam>({~CodeOf<TypeParam>{0}}, order)[0];
    expect_segments_sorted(std::vector<TypeParam>(offsets.back(), last), offsets, order);
  }
}

TEST(SegmentsGpu, NoSegmentsOrNoItems) {
  SORTIE_REQUIRE_GPU();
  expect_segments_sorted(std::vector<std::uint32_t>{}, {0}, SortOrder::kAscending);
  for (const std::uint64_t length : {0, 1}) {
    const auto offsets = segment_offsets(std::vector<std::uint64_t>(10'000, length), 5);
    expect_segments_sorted(items_for<std::uint32_t>(offsets, Distribution::kUniform), offsets, SortOrder::kDescending);
  }
}

TEST(SegmentsGpu, AMillionSegments) {
  SORTIE_REQUIRE_GPU();
  const auto offsets = segment_offsets(random_lengths(1'000'000, 0, 40), 1);
  expect_segment_keys_sorted(items_for<float>(offsets, Distribution::kUniform), offsets, SortOrder::kAscending);
  expect_segment_pairs_sorted<std::uint32_t>(items_for<std::uint64_t>(offsets, Distribution::kFewValued), offsets,
                                             SortOrder::kDescending);
}

TEST(SegmentsGpu, AGiantAmongTinyOnes) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> lengths = random_lengths(20'000, 0, 9);
  lengths[12'345] = 1'000'003;
  const auto offsets = segment_offsets(lengths, 0);
  expect_segments_sorted(items_for<std::uint32_t>(offsets, Distribution::kZipf), offsets, SortOrder::kAscending);
  expect_segments_sorted(items_for<double>(offsets, Distribution::kUniform), offsets, SortOrder::kDescending);
}

TEST(SegmentsGpu, ManyGiantsOfDifferentLengths) {
  SORTIE_REQUIRE_GPU();
  const auto offsets = segment_offsets(random_lengths(400, 2'000, 60'000), 7);
  expect_segments_sorted(items_for<std::uint64_t>(offsets, Distribution::kUniform), offsets, SortOrder::kAscending);
}

TEST(SegmentsGpu, OneSegmentIsAnOrdinarySort) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t length : {2, 100, 4000, 300'000}) {
    const auto offsets = segment_offsets({length}, 0);
    expect_segments_sorted(items_for<std::int64_t>(offsets, Distribution::kReversed), offsets, SortOrder::kAscending);
  }
}

TEST(SegmentsGpu, EqualKeysAreOrderedByValue) {
  SORTIE_REQUIRE_GPU();
  const auto offsets = segment_offsets(mixed_lengths(), 0);
  const CudaStream stream;
  const DeviceSegments device(offsets, stream);
  const auto values = make_keys<std::uint64_t>(Distribution::kUniform, offsets.back(), kSegmentedSortSeed);
  const DeviceArray<std::uint32_t> keys(std::vector<std::uint32_t>(offsets.back(), 7), stream);
  const DeviceArray<std::uint64_t> device_values(values, stream);
  segmented_sort_pairs(keys.data(), device_values.data(), device.segments(), SortOrder::kDescending, device.scratch(),
                       stream.handle());
  std::vector<std::uint64_t> expected = values;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::sort(expected.begin() + offsets[i], expected.begin() + offsets[i + 1]);
  }
  EXPECT_EQ(device_values.download(), expected);
}

}  // namespace
}  // namespace sortie::kernels
