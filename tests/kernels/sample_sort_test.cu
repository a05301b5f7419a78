// Sample sorts by themselves, at sizes where the radix sort would take another way, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/sample_sort/sample_sort_launch.cuh"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSampleSortSeed = 61;

constexpr std::uint64_t kFewTile = kPartitionThreads * kFewPartitionItems;
constexpr std::uint64_t kManyTile = kPartitionThreads * kManyPartitionItems;
constexpr std::uint64_t kManyFrom = kMostSampleSorted / 2;
static_assert(partition_items(kManyFrom) != partition_items(kManyFrom + 1));

constexpr std::uint64_t kSampleSortSizes[] = {kFewestSampleSorted,
                                              2 * kFewTile - 1,
                                              2 * kFewTile,
                                              2 * kFewTile + 1,
                                              99'999,
                                              kManyFrom,
                                              kManyFrom + 1,
                                              80 * kManyTile - 1,
                                              80 * kManyTile,
                                              80 * kManyTile + 1,
                                              kMostSampleSorted - 1,
                                              kMostSampleSorted};

/// The value of an item tells its position, in each of its bytes if it has 16.
template <class Value>
Value value_at(std::uint32_t position) {
  if constexpr (sizeof(Value) <= 8) {
    return position;
  } else {
    return {position, ~position, position * 0x9e3779b9, position ^ 0x5555};
  }
}

template <class Value>
std::vector<Value> values_at(const std::vector<std::uint32_t>& positions) {
  std::vector<Value> values;
  for (const std::uint32_t position : positions) values.push_back(value_at<Value>(position));
  return values;
}

/// Compares with a stable sort by the codes' bits. Returns without a word if the device is too small.
template <class Key, class Value, class Codec>
void expect_sample_sorted(const std::vector<Key>& keys, const Codec& codec, BitRange bits) {
  const std::uint64_t count = keys.size();
  std::vector<std::uint32_t> positions(count);
  std::iota(positions.begin(), positions.end(), 0U);
  const CudaStream stream;
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(count, stream);
  const DeviceArray<Value> values(values_at<Value>(positions), stream);
  const DeviceArray<Value> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(sample_sort_scratch(nullptr, count).size_bytes, stream);
  const RadixArrays<Key, Value> arrays{primary.data(), alternate.data(), values.data(), alternate_values.data()};
  if (!sort_by_samples(arrays, codec, count, bits, scratch.data(), stream.handle())) return;
  std::ranges::stable_sort(positions, {}, [&](std::uint32_t i) { return ordered_bits(bits, codec.encode(keys[i])); });
  const std::vector<Value> sorted = values.download();
  const std::vector<Value> expected_values = values_at<Value>(positions);
  EXPECT_EQ(std::memcmp(sorted.data(), expected_values.data(), count * sizeof(Value)), 0) << "values differ";
  std::vector<Key> expected;
  for (const std::uint32_t i : positions) expected.push_back(keys[i]);
  EXPECT_EQ(primary.download(), expected);
}

template <class Key>
KeyCodec<Key> descending_codec() {
  return make_key_codec<Key>(FieldKind::kUnsigned, true);
}

TEST(SampleSortGpu, AgreesWithStableSortAtSizesAroundItsTiles) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : kSampleSortSizes) {
    SCOPED_TRACE(std::to_string(size) + " items, seed " + std::to_string(kSampleSortSeed));
    expect_sample_sorted<std::uint64_t, std::uint32_t>(
        make_keys<std::uint64_t>(Distribution::kUniform, size, kSampleSortSeed), PlainKeys{}, {0, 64});
    const auto keys = make_keys<std::uint32_t>(Distribution::kZipf, size, kSampleSortSeed);
    expect_sample_sorted<std::uint32_t, std::uint64_t>(keys, PlainKeys{}, {0, 32});
    expect_sample_sorted<std::uint32_t, uint4>(keys, PlainKeys{}, {0, 32});
  }
}

TEST(SampleSortGpu, AgreesWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size : {std::uint64_t{20'000}, kManyFrom + 1}) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " items");
      expect_sample_sorted<std::uint32_t, std::uint32_t>(make_keys<std::uint32_t>(distribution, size, kSampleSortSeed),
                                                         descending_codec<std::uint32_t>(), {0, 32});
      expect_sample_sorted<std::uint64_t, std::uint64_t>(make_keys<std::uint64_t>(distribution, size, kSampleSortSeed),
                                                         descending_codec<std::uint64_t>(), {0, 64});
    }
  }
}

TEST(SampleSortGpu, SortsBySomeBitsAlone) {
  SORTIE_REQUIRE_GPU();
  const auto keys = make_keys<std::uint64_t>(Distribution::kUniform, 50'000, kSampleSortSeed);
  for (const BitRange bits : {BitRange{3, 14}, BitRange{17, 64}, BitRange{40, 41}}) {
    SCOPED_TRACE("bits from " + std::to_string(bits.begin));
    expect_sample_sorted<std::uint64_t, std::uint32_t>(keys, PlainKeys{}, bits);
  }
}

/// Nearly all keys are in the last bucket if the sample has the least of them.
TEST(SampleSortGpu, SortsBucketsThatAreLongerThanABlockHolds) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : {std::uint64_t{10'000}, std::uint64_t{100'003}, kManyFrom + 5}) {
    SCOPED_TRACE(std::to_string(size) + " items");
    auto keys = make_keys<std::uint64_t>(Distribution::kZipf, size, kSampleSortSeed);
    for (std::uint64_t& key : keys) key |= 1ULL << 63;
    const unsigned samples = sample_buckets(size) * kSamplesOfBucket;
    for (unsigned i = 0; i < samples; ++i) keys[splitter_sample_position(i, samples, size)] = i % 50;
    expect_sample_sorted<std::uint64_t, std::uint32_t>(keys, PlainKeys{}, {0, 64});
    std::vector<std::uint32_t> high_halves;
    for (const std::uint64_t key : keys) high_halves.push_back(static_cast<std::uint32_t>(key >> 32 | key));
    expect_sample_sorted<std::uint32_t, uint4>(high_halves, PlainKeys{}, {0, 32});
  }
}

}  // namespace
}  // namespace sortie::kernels
