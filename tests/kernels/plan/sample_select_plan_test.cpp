#include "kernels/select/sample_select_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSelectSeed = 107;

/// How many items each bucket has, as the sample of `keys` says. The sorted keys are 0, 1, 2, ...
std::vector<std::uint64_t> bucket_sizes(const std::vector<std::uint64_t>& keys, const BucketEnds& ends,
                                        std::uint64_t seed) {
  std::vector<std::uint64_t> sample(kSampleSize);
  for (unsigned i = 0; i < kSampleSize; ++i) sample[i] = keys[select_sample_position(i, keys.size(), seed)];
  std::ranges::sort(sample);
  std::vector<std::uint64_t> sizes;
  std::uint64_t before = 0;
  for (unsigned bucket = 0; bucket < ends.buckets; ++bucket) {
    const unsigned rank = std::min((bucket + 1) * ends.step, ends.last);
    const std::uint64_t end = rank == kSampleSize ? keys.size() : sample[rank - 1] + 1;
    sizes.push_back(end - before);
    before = end;
  }
  return sizes;
}

std::uint64_t sum(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : sizes) sum += size;
  return sum;
}

std::vector<std::uint64_t> different_keys(std::uint64_t count, bool is_sorted) {
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = i;
  if (!is_sorted) std::ranges::shuffle(keys, std::mt19937_64(kSelectSeed));
  return keys;
}

TEST(SampleSelectPlan, SamplesLieInOrderOverAllItems) {
  for (const std::uint64_t count : {1UL, 2047UL, 2048UL, 4097UL, 1'000'003UL, 1UL << 40}) {
    for (const std::uint64_t seed : {std::uint64_t{0}, kSelectSeed, ~std::uint64_t{0}}) {
      std::uint64_t before = 0;
      for (unsigned i = 0; i < kSampleSize; ++i) {
        const std::uint64_t position = select_sample_position(i, count, seed);
        ASSERT_LT(position, count);
        ASSERT_GE(position, before);
        ASSERT_LE(position, (i + 1) * count / kSampleSize);
        before = position;
      }
    }
  }
}

TEST(SampleSelectPlan, LeavesEnoughCandidatesAndHasRoomForThem) {
  for (const std::uint64_t count : {4'097UL, 50'021UL, 300'007UL}) {
    for (const bool is_sorted : {false, true}) {
      const std::vector<std::uint64_t> keys = different_keys(count, is_sorted);
      for (const std::uint64_t selected : {std::uint64_t{1}, std::uint64_t{64}, count / 50, count / 4}) {
        SCOPED_TRACE(std::to_string(selected) + " of " + std::to_string(count));
        for (std::uint64_t seed = kSelectSeed; seed < kSelectSeed + 5; ++seed) {
          const std::vector<std::uint64_t> candidates = bucket_sizes(keys, filter_ends(count, selected), seed);
          ASSERT_EQ(candidates.size(), 1U);
          EXPECT_GE(candidates[0], selected);
          EXPECT_LE(candidates[0], filter_capacity(count, selected));
          for (const unsigned item_bytes : {8U, 16U}) {
            const unsigned most = bucket_limit(selected, item_bytes);
            const std::vector<std::uint64_t> sizes =
                bucket_sizes(keys, bucket_ends(count, selected, mean_bucket(item_bytes), most), seed);
            EXPECT_LE(sizes.size(), most);
            EXPECT_GE(sum(sizes), selected);
            if (count <= most_bucketed(item_bytes)) {
              EXPECT_LE(std::ranges::max(sizes), bucket_capacity(item_bytes));
            }
          }
        }
      }
    }
  }
}

TEST(SampleSelectPlan, EndsInOneClusterOrInBucketsForAnyNumberOfItems) {
  for (const unsigned item_bytes : {8U, 16U}) {
    for (unsigned log2_count = 12; log2_count <= 40; ++log2_count) {
      const std::uint64_t count = std::uint64_t{1} << log2_count;
      for (std::uint64_t selected = 1; selected <= std::min(count / 4, most_selected(item_bytes)); selected *= 2) {
        const SampleSelectPlan plan = sample_select_plan(count, selected, item_bytes);
        SCOPED_TRACE(std::to_string(selected) + " of 2^" + std::to_string(log2_count));
        EXPECT_EQ(plan.ends_in_team, selected <= kMostTeamSelected);
        EXPECT_LE(plan.left, plan.ends_in_team ? kMostTeamItems : most_bucketed(item_bytes));
        EXPECT_GE(plan.left, selected);
        if (plan.ends_in_team) {
          EXPECT_EQ(plan.filters == 0, count <= kMostTeamItems);
        } else {
          EXPECT_GT(plan.buckets, 0U);
        }
        EXPECT_LE(plan.buckets, bucket_limit(selected, item_bytes));
        EXPECT_LE(plan.buckets, kMostSelectBuckets);
        for (unsigned f = 0; f < plan.filters; ++f) {
          EXPECT_GE(plan.capacities[f], selected);
          EXPECT_LE(plan.capacities[f], f == 0 ? count / 2 : plan.capacities[f - 1]);
        }
      }
    }
  }
}

TEST(SampleSelectPlan, BucketsOfNothing) {
  EXPECT_EQ(bucket_ends(0, 5, 512, 16).buckets, 0U);
  const BucketEnds ends = bucket_ends(10, 5, 512, 16);
  EXPECT_EQ(ends.step, ends.last);
  EXPECT_EQ(ends.buckets, 1U);
}

}  // namespace
}  // namespace sortie::kernels
