#include "kernels/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/merge_tuning.hpp"
#include "kernels/test_records.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kTile = merge_tuning(MergeKind::kPairs, 8).tile_items();
using Lengths = std::vector<std::uint64_t>;

const std::vector<Lengths>& shapes() {
  static const std::vector<Lengths> shapes = {
      {0},
      {1},
      {0, 0},
      {1, 0},
      {0, 1},
      {kTile, 1},
      {1, kTile},
      {kTile - 1, kTile + 1},
      {30 * kTile + 3, 0},
      {0, 30 * kTile + 3},
      {40 * kTile, 5},
      {5, 40 * kTile},
      {20 * kTile + 1, 20 * kTile - 1},
      {500, 3 * kTile, 17},
      {0, 9000, 0, 1, 12'345},
      {2000, 3000, 2500, 2999, 1, 1, 4096, 70'000},
      Lengths(17, 3000),
      Lengths(100, 7),
      Lengths(1000, 1),
  };
  return shapes;
}

struct Boundaries {
  explicit Boundaries(const Lengths& lengths) : offsets{0} {
    for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  }
  std::uint64_t item_count() const { return offsets.back(); }
  std::uint32_t sequence_count() const { return static_cast<std::uint32_t>(offsets.size() - 1); }

  std::vector<std::uint64_t> offsets;
};

template <class Key>
std::vector<Key> sorted_sequences(Distribution distribution, const Boundaries& boundaries, std::uint64_t seed) {
  std::vector<Key> keys = make_keys<Key>(distribution, boundaries.item_count(), seed);
  for (std::uint32_t i = 0; i < boundaries.sequence_count(); ++i) {
    std::sort(keys.begin() + boundaries.offsets[i], keys.begin() + boundaries.offsets[i + 1]);
  }
  return keys;
}

std::string describe(Distribution distribution, const Boundaries& boundaries, std::uint64_t seed) {
  std::string text = to_string(distribution) + ", seed " + std::to_string(seed) + ", sequences end at";
  for (std::size_t i = 1; i < std::min<std::size_t>(boundaries.offsets.size(), 20); ++i) {
    text += ' ' + std::to_string(boundaries.offsets[i]);
  }
  return text;
}

template <class Key>
void expect_keys_merged(const std::vector<Key>& keys, const Boundaries& boundaries) {
  const CudaStream stream;
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<std::uint64_t> offsets(boundaries.offsets, stream);
  const DeviceArray<std::byte> scratch(merge_scratch_bytes(keys.size(), boundaries.sequence_count()), stream);
  const MergeResult result =
      merge_rounds(primary.data(), alternate.data(), {offsets.data(), boundaries.sequence_count(), keys.size()},
                   scratch.data(), stream.handle());
  std::vector<Key> expected = keys;
  std::ranges::sort(expected);
  EXPECT_EQ((result == MergeResult::kPrimary ? primary : alternate).download(), expected);
}

/// `order` is what a stable sort makes of the indices, which are 0, 1, 2, ... at the start.
void expect_pairs_merged(const std::vector<std::uint64_t>& prefixes, std::vector<std::uint32_t> indices,
                         const Boundaries& boundaries, const RecordKeys* tie_break,
                         const std::vector<std::uint32_t>& order) {
  const CudaStream stream;
  const std::uint64_t count = prefixes.size();
  const DeviceArray<std::uint64_t> primary(prefixes, stream);
  const DeviceArray<std::uint64_t> alternate(count, stream);
  const DeviceArray<std::uint32_t> primary_indices(indices, stream);
  const DeviceArray<std::uint32_t> alternate_indices(count, stream);
  const DeviceArray<std::uint64_t> offsets(boundaries.offsets, stream);
  const DeviceArray<std::byte> scratch(merge_scratch_bytes(count, boundaries.sequence_count()), stream);
  const MergeResult result = merge_rounds(
      PrefixPairs{primary.data(), primary_indices.data()}, PrefixPairs{alternate.data(), alternate_indices.data()},
      {offsets.data(), boundaries.sequence_count(), count}, tie_break, scratch.data(), stream.handle());
  const bool at_home = result == MergeResult::kPrimary;
  EXPECT_EQ((at_home ? primary_indices : alternate_indices).download(), order);
  std::vector<std::uint64_t> sorted = prefixes;
  std::ranges::sort(sorted);
  EXPECT_EQ((at_home ? primary : alternate).download(), sorted);
}

TEST(MergeGpu, KeysOfAllDistributionsAndShapes) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const Lengths& lengths : shapes()) {
      const Boundaries boundaries(lengths);
      SCOPED_TRACE(describe(distribution, boundaries, 41));
      expect_keys_merged(sorted_sequences<std::uint32_t>(distribution, boundaries, 41), boundaries);
      expect_keys_merged(sorted_sequences<std::uint64_t>(distribution, boundaries, 41), boundaries);
    }
  }
}

TEST(MergeGpu, PairsStayStable) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const Lengths& lengths : shapes()) {
      const Boundaries boundaries(lengths);
      SCOPED_TRACE(describe(distribution, boundaries, 42));
      const auto prefixes = sorted_sequences<std::uint64_t>(distribution, boundaries, 42);
      std::vector<std::uint32_t> indices(prefixes.size());
      std::iota(indices.begin(), indices.end(), 0U);
      std::vector<std::uint32_t> order = indices;
      std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return prefixes[i]; });
      expect_pairs_merged(prefixes, indices, boundaries, nullptr, order);
    }
  }
}

/// Largest keys look like the guards behind the sides of a tile.
TEST(MergeGpu, SequencesThatEndInTheLargestKey) {
  SORTIE_REQUIRE_GPU();
  for (const Lengths& lengths : {Lengths{40, 0}, Lengths{7, 50}, Lengths{5000, 9000}, Lengths{3, 20'000, 1}}) {
    const Boundaries boundaries(lengths);
    auto narrow = sorted_sequences<std::uint32_t>(Distribution::kUniform, boundaries, 44);
    auto wide = sorted_sequences<std::uint64_t>(Distribution::kUniform, boundaries, 44);
    for (std::uint32_t i = 0; i < boundaries.sequence_count(); ++i) {
      const std::uint64_t from = (boundaries.offsets[i] + boundaries.offsets[i + 1]) / 2;
      std::fill(narrow.begin() + from, narrow.begin() + boundaries.offsets[i + 1], ~std::uint32_t{0});
      std::fill(wide.begin() + from, wide.begin() + boundaries.offsets[i + 1], ~std::uint64_t{0});
    }
    SCOPED_TRACE(describe(Distribution::kUniform, boundaries, 44));
    expect_keys_merged(narrow, boundaries);
    expect_keys_merged(wide, boundaries);
    std::vector<std::uint32_t> indices(wide.size());
    std::iota(indices.begin(), indices.end(), 0U);
    std::vector<std::uint32_t> order = indices;
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return wide[i]; });
    expect_pairs_merged(wide, indices, boundaries, nullptr, order);
  }
}

/// Sorts the sequences on the host by their whole keys, merges them on the device.
void expect_records_merged(const TestRecords& records, const Boundaries& boundaries) {
  const CudaStream stream;
  const RecordKeys host = records.host_keys();
  std::vector<std::uint32_t> indices(boundaries.item_count());
  std::iota(indices.begin(), indices.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return host.before(a, b, 0); };
  std::vector<std::uint32_t> order = indices;
  std::ranges::stable_sort(order, before);
  for (std::uint32_t i = 0; i < boundaries.sequence_count(); ++i) {
    std::stable_sort(indices.begin() + boundaries.offsets[i], indices.begin() + boundaries.offsets[i + 1], before);
  }
  std::vector<std::uint64_t> prefixes;
  for (const std::uint32_t i : indices) prefixes.push_back(host.word(i, 0));
  const DeviceRecords device(records, stream);
  const RecordKeys keys = device.keys();
  expect_pairs_merged(prefixes, indices, boundaries, &keys, order);
}

TEST(MergeGpu, KeysBeyondThePrefixBreakTies) {
  SORTIE_REQUIRE_GPU();
  for (const Lengths& lengths : shapes()) {
    const Boundaries boundaries(lengths);
    const std::uint64_t count = boundaries.item_count();
    SCOPED_TRACE(describe(Distribution::kFewValued, boundaries, 43));
    expect_records_merged(few_valued_records(count, 20, 43), boundaries);
    expect_records_merged(few_valued_lines(count, 20, false, 43), boundaries);
    expect_records_merged(few_valued_lines(count, 20, true, 43), boundaries);
  }
}

TEST(Merge, RoundsAndResultFollowFromTheNumberOfSequences) {
  EXPECT_EQ(merge_round_count(0), 0U);
  EXPECT_EQ(merge_round_count(1), 0U);
  EXPECT_EQ(merge_round_count(2), 1U);
  EXPECT_EQ(merge_round_count(5), 3U);
  EXPECT_EQ(merge_result(1), MergeResult::kPrimary);
  EXPECT_EQ(merge_result(2), MergeResult::kAlternate);
  EXPECT_EQ(merge_result(4), MergeResult::kPrimary);
}

}  // namespace
}  // namespace sortie::kernels
