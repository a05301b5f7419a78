#include "kernels/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/merge/list_merge_plan.hpp"
#include "kernels/merge/merge_plan.hpp"
#include "kernels/special_numbers.hpp"
#include "kernels/test_records.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

using Lengths = std::vector<std::uint64_t>;

/// Sides around one tile of `tile` items and around several, with one side short or empty.
std::vector<Lengths> shapes_around(std::uint64_t tile) {
  return {{tile - 1},        {tile, 1},     {1, tile},     {tile - 1, tile + 1},        {2 * tile + 3, 0},
          {0, 2 * tile + 3}, {2 * tile, 5}, {5, 2 * tile}, {2 * tile + 1, 2 * tile - 1}};
}

/// Lengths of `sequence_count` sequences, as even as possible, of `count` items in all.
Lengths even_lengths(std::uint64_t count, std::uint32_t sequence_count) {
  Lengths lengths(sequence_count, count / sequence_count);
  lengths.back() += count % sequence_count;
  return lengths;
}

/// Several sequences around one tile of up to `tile` items and around many, with one that has nearly all items or none.
std::vector<Lengths> several_around(std::uint64_t tile) {
  std::vector<Lengths> shapes;
  for (const std::uint64_t count : {tile - 1, tile, tile + 1, 9 * tile + 5}) {
    for (const std::uint32_t sequence_count : {3, 16}) shapes.push_back(even_lengths(count, sequence_count));
  }
  shapes.push_back({1, 0, 5 * tile, 0, 7, 0, 0, 0, 1});
  shapes.push_back({tile, tile, 0, tile});
  return shapes;
}

/// Few items, and passes with an odd number of sequences.
std::vector<Lengths> small_shapes() {
  return {{0},
          {1},
          {0, 0},
          {1, 0},
          {0, 1},
          {500, 12'000, 17},
          {0, 9000, 0, 1, 12'345},
          {2000, 3000, 2500, 2999, 1, 1, 4096, 20'000},
          Lengths(17, 3000),
          Lengths(40, 700),
          Lengths(100, 7),
          Lengths(1000, 1)};
}

/// Small shapes, and shapes around the tiles of all forms of a merge of such keys.
std::vector<Lengths> shapes(std::size_t key_bytes) {
  std::vector<Lengths> shapes = small_shapes();
  for (const std::size_t value_bytes : {0, 4, 8}) {
    const std::vector<Lengths> around = shapes_around(merge_tuning(key_bytes, value_bytes).tile_items());
    shapes.insert(shapes.end(), around.begin(), around.end());
    std::ranges::move(several_around(list_tuning(key_bytes, value_bytes).tile_capacity()), std::back_inserter(shapes));
  }
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

std::string describe(Distribution distribution, const Boundaries& boundaries, std::uint64_t seed) {
  std::string text = to_string(distribution) + ", seed " + std::to_string(seed) + ", sequences end at";
  for (std::size_t i = 1; i < std::min<std::size_t>(boundaries.offsets.size(), 20); ++i) {
    text += ' ' + std::to_string(boundaries.offsets[i]);
  }
  return text;
}

/// The numbers, with each sequence sorted by itself.
template <class Number>
std::vector<Number> sorted_sequences(const std::vector<Number>& numbers, const Boundaries& boundaries,
                                     SortOrder order) {
  std::vector<Number> sequences;
  for (std::uint32_t i = 0; i < boundaries.sequence_count(); ++i) {
    const std::vector<Number> sequence(numbers.begin() + boundaries.offsets[i],
                                       numbers.begin() + boundaries.offsets[i + 1]);
    const std::vector<Number> sorted = stable_sorted(sequence, order).numbers;
    sequences.insert(sequences.end(), sorted.begin(), sorted.end());
  }
  return sequences;
}

template <class Key>
void expect_keys_merged(const std::vector<Key>& keys, const Boundaries& boundaries, SortOrder order,
                        const StableSorted<Key>& expected) {
  const CudaStream stream;
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<std::uint64_t> offsets(boundaries.offsets, stream);
  const DeviceArray<std::byte> scratch(merge_scratch_bytes(keys.size(), boundaries.sequence_count()), stream);
  const MergeResult result =
      merge_sequences(primary.data(), alternate.data(), {offsets.data(), boundaries.sequence_count(), keys.size()},
                      order, scratch.data(), stream.handle());
  expect_same_bits((result == MergeResult::kPrimary ? primary : alternate).download(), expected.numbers);
}

/// The values are the keys' positions.
template <class Value, class Key>
void expect_pairs_merged(const std::vector<Key>& keys, const Boundaries& boundaries, SortOrder order,
                         const StableSorted<Key>& expected) {
  const CudaStream stream;
  const std::uint64_t count = keys.size();
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(count, stream);
  const DeviceArray<Value> primary_values(first_positions<Value>(count), stream);
  const DeviceArray<Value> alternate_values(count, stream);
  const DeviceArray<std::uint64_t> offsets(boundaries.offsets, stream);
  const DeviceArray<std::byte> scratch(merge_scratch_bytes(count, boundaries.sequence_count()), stream);
  const MergeResult result =
      merge_sequences(primary.data(), alternate.data(), primary_values.data(), alternate_values.data(),
                      {offsets.data(), boundaries.sequence_count(), count}, order, scratch.data(), stream.handle());
  const bool at_home = result == MergeResult::kPrimary;
  expect_same_bits((at_home ? primary : alternate).download(), expected.numbers);
  EXPECT_TRUE(std::ranges::equal((at_home ? primary_values : alternate_values).download(), expected.positions));
}

template <class Key>
void expect_all_forms_merged(const std::vector<Key>& keys, const Boundaries& boundaries, SortOrder order) {
  const StableSorted<Key> expected = stable_sorted(keys, order);
  expect_keys_merged(keys, boundaries, order, expected);
  expect_pairs_merged<std::uint32_t>(keys, boundaries, order, expected);
  expect_pairs_merged<std::uint64_t>(keys, boundaries, order, expected);
}

template <class Number>
class MergeGpu : public testing::Test {};
TYPED_TEST_SUITE(MergeGpu, NumberTypes);

TYPED_TEST(MergeGpu, AgreesWithStableSortOnAllDistributionsAndShapes) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const Lengths& lengths : shapes(sizeof(TypeParam))) {
      const Boundaries boundaries(lengths);
      SCOPED_TRACE(describe(distribution, boundaries, 41));
      const auto numbers = numbers_with_specials<TypeParam>(distribution, boundaries.item_count(), 41);
      for (const SortOrder order : kBothOrders) {
        SCOPED_TRACE(to_string(order));
        expect_all_forms_merged(sorted_sequences(numbers, boundaries, order), boundaries, order);
      }
    }
  }
}

/// More samples than one tile of them holds, so that tiles are found level by level.
TYPED_TEST(MergeGpu, SeveralSequencesOfManyTiles) {
  SORTIE_REQUIRE_GPU();
  for (const Lengths& lengths : {even_lengths(700'000, 16), even_lengths(900'000, 5), even_lengths(600'000, 300)}) {
    const Boundaries boundaries(lengths);
    for (const Distribution distribution : {Distribution::kUniform, Distribution::kFewValued}) {
      SCOPED_TRACE(describe(distribution, boundaries, 45));
      const auto numbers = numbers_with_specials<TypeParam>(distribution, boundaries.item_count(), 45);
      const SortOrder order = SortOrder::kAscending;
      expect_all_forms_merged(sorted_sequences(numbers, boundaries, order), boundaries, order);
    }
  }
}

/// The last keys look like the guards behind the sides of a tile.
TYPED_TEST(MergeGpu, SequencesThatEndInTheLastKeyOfAll) {
  SORTIE_REQUIRE_GPU();
  using Bits = CodeOf<TypeParam>;
  for (const Lengths& lengths : {Lengths{40, 0}, Lengths{7, 50}, Lengths{5000, 9000}, Lengths{3, 20'000, 1}}) {
    const Boundaries boundaries(lengths);
    SCOPED_TRACE(describe(Distribution::kUniform, boundaries, 44));
    std::vector<Bits> codes = make_keys<Bits>(Distribution::kUniform, boundaries.item_count(), 44);
    for (std::uint32_t i = 0; i < boundaries.sequence_count(); ++i) {
      const std::uint64_t from = (boundaries.offsets[i] + boundaries.offsets[i + 1]) / 2;
      std::fill(codes.begin() + from, codes.begin() + boundaries.offsets[i + 1], static_cast<Bits>(~Bits{0}));
    }
    for (const SortOrder order : kBothOrders) {
      SCOPED_TRACE(to_string(order));
      const std::vector<TypeParam> numbers = from_codes<TypeParam>(codes, order);
      expect_all_forms_merged(sorted_sequences(numbers, boundaries, order), boundaries, order);
    }
  }
}

/// `order` is the result of a stable sort of the indices, which are 0, 1, 2, ... at the start.
void expect_prefixes_merged(const std::vector<std::uint64_t>& prefixes, std::vector<std::uint32_t> indices,
                            const Boundaries& boundaries, const RecordKeys& tie_break,
                            const std::vector<std::uint32_t>& order) {
  const CudaStream stream;
  const std::uint64_t count = prefixes.size();
  const DeviceArray<std::uint64_t> primary(prefixes, stream);
  const DeviceArray<std::uint64_t> alternate(count, stream);
  const DeviceArray<std::uint32_t> primary_indices(indices, stream);
  const DeviceArray<std::uint32_t> alternate_indices(count, stream);
  const DeviceArray<std::uint64_t> offsets(boundaries.offsets, stream);
  const DeviceArray<std::byte> scratch(merge_scratch_bytes(count, boundaries.sequence_count()), stream);
  const MergeResult result = merge_sequences(
      PrefixPairs{primary.data(), primary_indices.data()}, PrefixPairs{alternate.data(), alternate_indices.data()},
      {offsets.data(), boundaries.sequence_count(), count}, &tie_break, scratch.data(), stream.handle());
  const bool at_home = result == MergeResult::kPrimary;
  EXPECT_EQ((at_home ? primary_indices : alternate_indices).download(), order);
  std::vector<std::uint64_t> sorted = prefixes;
  std::ranges::sort(sorted);
  EXPECT_EQ((at_home ? primary : alternate).download(), sorted);
}

/// Sorts the sequences on the host by their whole keys, and merges them on the device.
void expect_records_merged(const TestRecords& records, const Boundaries& boundaries) {
  const CudaStream stream;
  const RecordKeys host = records.host_keys();
  std::vector<std::uint32_t> indices = first_positions<std::uint32_t>(boundaries.item_count());
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
  expect_prefixes_merged(prefixes, indices, boundaries, keys, order);
}

TEST(MergeOfRecordsGpu, KeysBeyondThePrefixBreakTies) {
  SORTIE_REQUIRE_GPU();
  std::vector<Lengths> shapes = small_shapes();
  std::ranges::move(shapes_around(kRecordMergeTuning.tile_items()), std::back_inserter(shapes));
  std::ranges::move(several_around(kRecordListTuning.tile_capacity()), std::back_inserter(shapes));
  for (const Lengths& lengths : shapes) {
    const Boundaries boundaries(lengths);
    const std::uint64_t count = boundaries.item_count();
    SCOPED_TRACE(describe(Distribution::kFewValued, boundaries, 43));
    expect_records_merged(few_valued_records(count, 20, 43), boundaries);
    expect_records_merged(few_valued_lines(count, 20, false, 43), boundaries);
    expect_records_merged(few_valued_lines(count, 20, true, 43), boundaries);
  }
}

TEST(Merge, PassesAndResultFollowFromTheNumberOfSequences) {
  EXPECT_EQ(merge_pass_count(0), 0U);
  EXPECT_EQ(merge_pass_count(1), 0U);
  EXPECT_EQ(merge_pass_count(2), 1U);
  EXPECT_EQ(merge_pass_count(16), 1U);
  EXPECT_EQ(merge_pass_count(17), 2U);
  EXPECT_EQ(merge_pass_count(~0U), 8U);
  EXPECT_EQ(merge_result(1), MergeResult::kPrimary);
  EXPECT_EQ(merge_result(16), MergeResult::kAlternate);
  EXPECT_EQ(merge_result(17), MergeResult::kPrimary);
}

}  // namespace
}  // namespace sortie::kernels
