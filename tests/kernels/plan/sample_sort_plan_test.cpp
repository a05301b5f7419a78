#include "kernels/sample_sort/sample_sort_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sortie::kernels {
namespace {

TEST(SampleSortPlan, BucketsAreAPowerOfTwoAndNotTooLongOnAverage) {
  for (std::uint64_t count = kFewestSampleSorted; count <= kMostSampleSorted; count += count / 9) {
    const unsigned buckets = sample_buckets(count);
    EXPECT_EQ(buckets & (buckets - 1), 0U) << count;
    EXPECT_LE(buckets, kMostSampleBuckets) << count;
    EXPECT_LE(count / buckets, 2048U) << count;
  }
}

TEST(SampleSortPlan, SamplePositionsAscendAndAreInTheInput) {
  for (const std::uint64_t count : {kFewestSampleSorted, std::uint64_t{99'999}, kMostSampleSorted}) {
    const unsigned samples = sample_buckets(count) * kSamplesOfBucket;
    std::uint64_t from = 0;
    for (unsigned i = 0; i < samples; ++i) {
      const std::uint64_t position = splitter_sample_position(i, samples, count);
      ASSERT_GE(position, from) << count << ", sample " << i;
      ASSERT_LT(position, count) << count << ", sample " << i;
      from = position + 1;
    }
  }
}

TEST(SampleSortPlan, ScratchForMoreItemsServesForFewer) {
  std::uint64_t least = 0;
  for (std::uint64_t count = kFewestSampleSorted; count <= 4 * kMostSampleSorted; count += count / 9) {
    const std::uint64_t sorted = count < kMostSampleSorted ? count : kMostSampleSorted;
    const std::uint64_t bytes =
        std::max(radix_scratch(nullptr, count).size_bytes, sample_sort_scratch(nullptr, sorted).size_bytes);
    EXPECT_GE(bytes, least) << count;
    least = bytes;
  }
}

}  // namespace
}  // namespace sortie::kernels
