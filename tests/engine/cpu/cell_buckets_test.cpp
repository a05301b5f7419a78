#include "engine/cpu/cell_buckets.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "record/key_plan.hpp"

namespace sortie {
namespace {

std::vector<std::uint64_t> sorted_values(std::size_t count, auto make) {
  std::vector<std::uint64_t> values(count);
  std::ranges::generate(values, make);
  std::ranges::sort(values);
  return values;
}

TEST(CellBuckets, ShareASampleEvenlyAndKeepTheOrder) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(1e12, 1e10);
  const std::vector<std::uint64_t> uniform = sorted_values(100'000, [&] { return random(); });
  const std::vector<std::uint64_t> peaked =
      sorted_values(100'000, [&] { return static_cast<std::uint64_t>(normal(random)); });
  const std::vector<std::uint64_t> high = sorted_values(100'000, [&] { return ~(random() >> 20); });
  std::uniform_real_distribution<float> real(0, 1e6);
  const std::vector<std::uint64_t> floats =
      sorted_values(100'000, [&] { return std::bit_cast<std::uint32_t>(real(random)); });
  for (const std::vector<std::uint64_t>& sample : {uniform, peaked, high, floats}) {
    for (const std::size_t wanted : {2, 100, 1000}) {
      const auto buckets = CellBuckets::sharing(sample, wanted);
      ASSERT_TRUE(buckets);
      EXPECT_LE(buckets->bucket_count(), wanted);
      EXPECT_GE(buckets->bucket_count(), wanted / 4);
      std::vector<std::size_t> sizes(buckets->bucket_count());
      std::size_t before = 0;
      for (const std::uint64_t number : sample) {
        const std::size_t bucket = buckets->bucket_of(number);
        ASSERT_LT(bucket, sizes.size());
        ASSERT_GE(bucket, before);
        before = bucket;
        ++sizes[bucket];
      }
      EXPECT_LE(std::ranges::max(sizes), 4 * (sample.size() / wanted + 1));
      EXPECT_GT(std::ranges::min(sizes), 0U);
    }
  }
}

// Half of such codes lie in a hundredth of their range, at each of its ends a part.
TEST(CellBuckets, AreFewerForFloatsOfBothSigns) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<float> real(-1e6, 1e6);
  const std::vector<std::uint64_t> sample = sorted_values(16 * CellBuckets::kMaxBuckets, [&] {
    return encode_number(FieldKind::kFloat, std::bit_cast<std::uint32_t>(real(random)), 4);
  });
  const auto buckets = CellBuckets::sharing(sample, CellBuckets::kMaxBuckets);
  ASSERT_TRUE(buckets);
  EXPECT_GT(buckets->bucket_count(), CellBuckets::kEnoughBuckets / 2);
  std::vector<std::size_t> sizes(buckets->bucket_count());
  for (const std::uint64_t number : sample) ++sizes[buckets->bucket_of(number)];
  EXPECT_LE(std::ranges::max(sizes), sample.size() / 50);
}

// As few samples as an array of 10 million numbers has.
TEST(CellBuckets, AreEnoughForFloatsAroundZero) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const std::vector<std::uint64_t> sample = sorted_values(16 * CellBuckets::kEnoughBuckets, [&] {
      return encode_number(FieldKind::kFloat, std::bit_cast<std::uint64_t>(normal(random)), 8);
    });
    const auto buckets = CellBuckets::sharing(sample, CellBuckets::kEnoughBuckets);
    ASSERT_TRUE(buckets) << "seed " << seed;
    EXPECT_GT(buckets->bucket_count(), CellBuckets::kEnoughBuckets / 2);
  }
}

TEST(CellBuckets, TakeNumbersThatNoSampleHasShown) {
  std::mt19937_64 random(1);
  const auto buckets = CellBuckets::sharing(sorted_values(1000, [&] { return 1'000'000 + random() % 1'000'000; }), 10);
  ASSERT_TRUE(buckets);
  EXPECT_EQ(buckets->bucket_of(0), 0U);
  EXPECT_EQ(buckets->bucket_of(3'000'000), buckets->bucket_count() - 1);
  EXPECT_EQ(buckets->bucket_of(std::numeric_limits<std::uint64_t>::max()), buckets->bucket_count() - 1);
}

TEST(CellBuckets, AreNotMadeWhereTheyWouldBeUneven) {
  std::mt19937_64 random(1);
  EXPECT_FALSE(CellBuckets::sharing(std::vector<std::uint64_t>(100, 7), 10)) << "one number";
  EXPECT_FALSE(CellBuckets::sharing(sorted_values(1000, [&] { return random() % 3; }), 100)) << "three numbers";
  EXPECT_FALSE(CellBuckets::sharing(sorted_values(1000, [&] { return random() % 4 == 0 ? random() : 12345; }), 10))
      << "most are equal";
  EXPECT_FALSE(CellBuckets::sharing(sorted_values(1000, [&] { return random() >> (random() % 64); }), 100))
      << "most lie in a small part of the range";
  EXPECT_FALSE(CellBuckets::sharing({}, 10));
  EXPECT_FALSE(CellBuckets::sharing(std::vector<std::uint64_t>{1, 2}, 0));
}

TEST(CellBuckets, MayBeOne) {
  const auto buckets = CellBuckets::sharing(std::vector<std::uint64_t>{1, 2, 3}, 1);
  ASSERT_TRUE(buckets);
  EXPECT_EQ(buckets->bucket_count(), 1U);
}

}  // namespace
}  // namespace sortie
