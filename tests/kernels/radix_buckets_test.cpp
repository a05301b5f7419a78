// Long sorts of pairs with keys of 4 bytes, which two passes bring into buckets if these are small. They are too long
// to be sorted again on the host: the values say where each key was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_numbers.hpp"
#include "kernels/radix_sort_long_values.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kRadixBucketsSeed = 61;
/// With buckets for values of either size.
constexpr std::uint64_t kRadixBucketsCount = (std::uint64_t{1} << 27) + 4099;

/// Expects that keys ascend by their codes, that each comes with the position where it was, and that positions ascend
/// among equal keys. Values are positions, complemented.
template <class Number, class Value>
void expect_stable(const std::vector<std::uint32_t>& codes, const std::vector<Number>& sorted,
                   const std::vector<Value>& values, SortOrder order) {
  const KeyCodec<std::uint32_t> codec = codec_of<Number>(order);
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < codes.size(); ++i) {
    const std::uint64_t position = static_cast<Value>(~values[i]);
    ASSERT_LT(position, codes.size()) << "at " << i;
    ASSERT_EQ(codec.encode(std::bit_cast<std::uint32_t>(sorted[i])), codes[position]) << "at " << i;
    const bool follows = codes[before] < codes[position] || (codes[before] == codes[position] && before < position);
    ASSERT_TRUE(i == 0 || follows) << "at " << i;
    before = position;
  }
}

/// Sorts numbers with these codes. `by_buckets`: whether buckets are to be sorted.
template <class Number, class Value>
void expect_long_pairs_sorted(const std::vector<std::uint32_t>& codes, SortOrder order, bool by_buckets) {
  const CudaStream stream;
  const std::uint64_t count = codes.size();
  std::vector<Value> positions = first_positions<Value>(count);
  for (Value& position : positions) position = static_cast<Value>(~position);
  const DeviceArray<Number> keys(from_codes<Number>(codes, order), stream);
  const DeviceArray<Number> alternate(count, stream);
  const DeviceArray<Value> values(positions, stream);
  const DeviceArray<Value> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(count), stream);
  radix_sort_pairs(keys.data(), alternate.data(), values.data(), alternate_values.data(), count, order, scratch.data(),
                   stream.handle());
  EXPECT_EQ(download_plan(scratch, count, stream).sorts_buckets != 0, by_buckets);
  expect_stable(codes, keys.download(), values.download(), order);
}

TEST(RadixBucketsGpu, UniformKeysAreSortedInBuckets) {
  SORTIE_REQUIRE_GPU();
  const auto codes = make_keys<std::uint32_t>(Distribution::kUniform, kRadixBucketsCount, kRadixBucketsSeed);
  expect_long_pairs_sorted<std::uint32_t, std::uint32_t>(codes, SortOrder::kAscending, true);
  expect_long_pairs_sorted<float, std::uint32_t>(codes, SortOrder::kDescending, true);
  expect_long_pairs_sorted<std::int32_t, std::uint64_t>(codes, SortOrder::kAscending, true);
}

/// Values of 16 bytes: their first words are positions, complemented, and the others follow from these. `by_buckets` as
/// above; if they are not, each of them moves once per digit.
template <class Number>
void expect_long_values_sorted(const std::vector<std::uint32_t>& codes, SortOrder order, bool by_buckets) {
  const CudaStream stream;
  const std::uint64_t count = codes.size();
  std::vector<uint4> made(count);
  for (std::uint32_t i = 0; i < count; ++i) made[i] = {~i, i, i * 0x9e3779b9, 77};
  const DeviceArray<Number> keys(from_codes<Number>(codes, order), stream);
  const DeviceArray<Number> alternate(count, stream);
  const DeviceArray<uint4> values(made, stream);
  const DeviceArray<uint4> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(count), stream);
  ASSERT_TRUE(radix_sort_long_values(keys.data(), alternate.data(), values.data(), alternate_values.data(), count,
                                     order, scratch.data(), stream.handle()));
  EXPECT_EQ(download_plan(scratch, count, stream).sorts_buckets != 0, by_buckets);
  made = values.download();
  std::vector<std::uint32_t> first_words(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t position = ~made[i].x;
    ASSERT_TRUE(made[i].y == position && made[i].z == position * 0x9e3779b9 && made[i].w == 77) << "at " << i;
    first_words[i] = made[i].x;
  }
  expect_stable(codes, keys.download(), first_words, order);
}

TEST(RadixBucketsGpu, ValuesOf16BytesMoveWithTheirKeys) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = kBucketRoomFrom + 4099;
  const auto uniform = make_keys<std::uint32_t>(Distribution::kUniform, kCount, kRadixBucketsSeed);
  expect_long_values_sorted<std::uint32_t>(uniform, SortOrder::kAscending, true);
  expect_long_values_sorted<float>(uniform, SortOrder::kDescending, true);
  expect_long_values_sorted<std::int32_t>(make_keys<std::uint32_t>(Distribution::kZipf, kCount, kRadixBucketsSeed),
                                          SortOrder::kAscending, false);
  for (const std::uint64_t count : {kManyLongValues, kManyLongValues + 1}) {
    expect_long_values_sorted<std::uint32_t>(make_keys<std::uint32_t>(Distribution::kUniform, count, kRadixBucketsSeed),
                                             SortOrder::kDescending, false);
  }
}

/// So many that each block takes one bucket.
TEST(RadixBucketsGpu, ATileMayBeASingleBucket) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = (std::uint64_t{1} << 27) + 12'345'678;
  static_assert(log2_tile_buckets(kRadixBucketsCount) == 1 && log2_tile_buckets(kCount) == 0);
  expect_long_pairs_sorted<std::uint32_t, std::uint32_t>(
      make_keys<std::uint32_t>(Distribution::kUniform, kCount, kRadixBucketsSeed), SortOrder::kAscending, true);
}

TEST(RadixBucketsGpu, FrequentKeysAreSortedByAllDigits) {
  SORTIE_REQUIRE_GPU();
  expect_long_pairs_sorted<std::uint32_t, std::uint32_t>(
      make_keys<std::uint32_t>(Distribution::kZipf, kRadixBucketsCount, kRadixBucketsSeed), SortOrder::kAscending,
      false);
}

/// A tile is full to its last place, or has one item too many.
TEST(RadixBucketsGpu, ATileHoldsAsManyItemsAsItHasPlaces) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint32_t kPlaces = 4608;
  constexpr std::uint32_t kFull = 0x7777;
  const unsigned tile_bits = log2_tile_buckets(kRadixBucketsCount);
  for (const std::uint32_t items : {kPlaces, kPlaces + 1}) {
    std::mt19937_64 random(kRadixBucketsSeed);
    std::vector<std::uint32_t> codes(kRadixBucketsCount);
    for (std::uint64_t i = 0; i < codes.size(); ++i) {
      auto bucket = static_cast<std::uint32_t>(random() % kBuckets);
      if (i % 29'000 == 0 && i / 29'000 < items) {
        bucket = kFull;
      } else if (bucket >> tile_bits == kFull >> tile_bits) {
        bucket = static_cast<std::uint32_t>(i % (kFull - 1)) & ~1U;  // of other tiles, spread over them
      }
      codes[i] = bucket << kBucketBits | static_cast<std::uint32_t>(random() & 0xffff);
    }
    expect_long_pairs_sorted<std::uint32_t, std::uint32_t>(codes, SortOrder::kAscending, items == kPlaces);
  }
}

}  // namespace
}  // namespace sortie::kernels
