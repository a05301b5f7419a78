#include "entries/splitters.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/distributions.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

// The bucket that a linear search over the splitters finds.
std::size_t linear_bucket(const std::set<std::uint64_t>& splitters, std::uint64_t key) {
  std::size_t bucket = 0;
  for (const std::uint64_t splitter : splitters) {
    if (key < splitter) return bucket;
    if (key == splitter) return bucket + 1;
    bucket += 2;
  }
  return bucket;
}

// The splitters that the constructor documents: evenly spaced values of the sample, all different.
std::set<std::uint64_t> chosen(std::vector<std::uint64_t> sample, std::size_t wanted) {
  std::set<std::uint64_t> splitters;
  std::sort(sample.begin(), sample.end());
  for (std::size_t i = 1; i <= wanted && !sample.empty(); ++i)
    splitters.insert(sample[i * sample.size() / (wanted + 1)]);
  return splitters;
}

void expect_linear_search_agrees(const std::vector<std::uint64_t>& sample, std::size_t wanted) {
  const Splitters splitters(sample, wanted);
  const std::set<std::uint64_t> expected = chosen(sample, std::min(wanted, Splitters::kMaxSplitters));
  ASSERT_EQ(splitters.bucket_count(), 2 * expected.size() + 1);
  std::vector<std::uint64_t> keys = {0, 1, kLargest - 1, kLargest};
  for (const std::uint64_t key : sample) keys.insert(keys.end(), {key - 1, key, key + 1});
  for (const std::uint64_t key : keys) {
    const std::size_t bucket = splitters.bucket_of(key);
    ASSERT_EQ(bucket, linear_bucket(expected, key)) << "key " << key << ", " << wanted << " wanted";
    ASSERT_EQ(Splitters::is_equality_bucket(bucket), expected.contains(key));
  }
}

TEST(Splitters, SamplesAreSpreadOverAllItems) {
  EXPECT_EQ(Splitters::sample_stride(0, 0), 1U);
  EXPECT_EQ(Splitters::sample_stride(0, 15), 1U);
  EXPECT_EQ(Splitters::sample_stride(100, 0), 100U);
  EXPECT_EQ(Splitters::sample_stride(100, 255), 1U);
  for (const std::size_t wanted : {1, 15, 255}) {
    const std::uint64_t count = std::uint64_t{1} << 40;
    const std::uint64_t samples = count / Splitters::sample_stride(count, wanted);
    EXPECT_GT(samples, wanted);
    EXPECT_LT(samples, 100 * wanted);
  }
}

TEST(Splitters, FindTheBucketThatALinearSearchFinds) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const auto sample = make_keys<std::uint64_t>(distribution, 1000, 7);
    for (const std::size_t wanted : {0, 1, 2, 3, 100, 254, 255, 256, 1000}) expect_linear_search_agrees(sample, wanted);
  }
}

TEST(Splitters, ServeAnEmptySampleWithOneBucket) {
  const Splitters splitters({}, 10);
  EXPECT_EQ(splitters.bucket_count(), 1U);
  for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{5}, kLargest})
    EXPECT_EQ(splitters.bucket_of(key), 0U);
}

TEST(Splitters, TellTheLargestKeyFromThePadding) {
  expect_linear_search_agrees({kLargest}, 1);
  expect_linear_search_agrees({0, kLargest}, 2);
  expect_linear_search_agrees({0, 1, 2, 3}, 3);
}

TEST(Splitters, CrowdTogetherInOneCornerOfTheRange) {
  std::vector<std::uint64_t> sample = {0, kLargest};
  for (std::uint64_t i = 0; i < 300; ++i) sample.push_back((std::uint64_t{1} << 40) + 3 * i);
  expect_linear_search_agrees(sample, 255);
  expect_linear_search_agrees(sample, 20);
}

TEST(Splitters, PositionsKeepTheOrderOfRangesWithinABucket) {
  //                                        bucket 0, 1, 2
  std::vector<std::vector<std::size_t>> counts = {{2, 0, 1},   // range 0
                                                  {3, 4, 0}};  // range 1
  EXPECT_EQ(turn_counts_into_positions(counts), (std::vector<std::size_t>{0, 5, 9, 10}));
  EXPECT_EQ(counts[0], (std::vector<std::size_t>{0, 5, 9}));
  EXPECT_EQ(counts[1], (std::vector<std::size_t>{2, 5, 10}));
}

}  // namespace
}  // namespace sortie
