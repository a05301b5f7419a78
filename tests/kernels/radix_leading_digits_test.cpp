// Sorts long enough to leave out their lowest digits: what the sample makes of the keys, and the repair of
// what the passes leave.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_set>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/radix_plan.hpp"
#include "kernels/radix_sort.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kCount = kShortenFrom + 4097;
constexpr std::uint64_t kSeed = 31;

/// Sorts, compares with std::stable_sort, and returns what the sort planned.
template <class Key, class Value>
RadixPlan expect_sorted(const std::vector<Key>& keys) {
  const CudaStream stream;
  std::vector<Value> positions(keys.size());
  std::iota(positions.begin(), positions.end(), Value{0});
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<Value> values(positions, stream);
  const DeviceArray<Value> alternate_values(keys.size(), stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(keys.size()), stream);
  radix_sort_pairs(primary.data(), alternate.data(), values.data(), alternate_values.data(), keys.size(),
                   {0, 8 * sizeof(Key)}, scratch.data(), stream.handle());
  const std::vector<Value> sorted = values.download();
  const std::vector<Key> sorted_keys = primary.download();
  std::ranges::stable_sort(positions, {}, [&](Value i) { return keys[i]; });
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    if (sorted[i] == positions[i] && sorted_keys[i] == keys[positions[i]]) continue;
    ADD_FAILURE() << "first difference at " << i;
    break;
  }
  RadixPlan plan;
  check_cuda(cudaMemcpyAsync(&plan, radix_scratch(scratch.data(), keys.size()).plan, sizeof plan, cudaMemcpyDefault,
                             stream.handle()),
             "download of the plan");
  stream.synchronize();
  return plan;
}

/// Places that no sample looks at.
std::vector<std::uint64_t> unsampled_places(std::uint64_t count, std::size_t wanted) {
  std::unordered_set<std::uint64_t> sampled;
  for (std::uint64_t i = 0; i < radix_sample_keys(count); ++i) sampled.insert(radix_sample_position(i, count));
  std::vector<std::uint64_t> places;
  for (std::uint64_t i = count - 1; places.size() < wanted; i -= count / wanted / 2) {
    while (sampled.contains(i)) --i;
    places.push_back(i);
  }
  return places;
}

template <class T>
class RadixLeadingDigitsGpu : public testing::Test {};

using ValueTypes = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(RadixLeadingDigitsGpu, ValueTypes);

TYPED_TEST(RadixLeadingDigitsGpu, AllDistributionsAreSorted) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    SCOPED_TRACE(to_string(distribution) + ", seed " + std::to_string(kSeed));
    expect_sorted<std::uint64_t, TypeParam>(make_keys<std::uint64_t>(distribution, kCount, kSeed));
    if constexpr (sizeof(TypeParam) == 4) {
      expect_sorted<std::uint32_t, TypeParam>(make_keys<std::uint32_t>(distribution, kCount, kSeed));
    }
  }
}

TYPED_TEST(RadixLeadingDigitsGpu, UniformKeysTakeAPassPerDigitThatMatters) {
  SORTIE_REQUIRE_GPU();
  const RadixPlan plan =
      expect_sorted<std::uint64_t, TypeParam>(make_keys<std::uint64_t>(Distribution::kUniform, kCount, kSeed));
  EXPECT_EQ(plan.passes[kLeadingDigits].count, 3U);
  EXPECT_EQ(plan.passes[kAllDigits].count, 0U);
}

TYPED_TEST(RadixLeadingDigitsGpu, PresortedKeysTakeNoPass) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Distribution::kSorted, kCount, kSeed);
  EXPECT_EQ((expect_sorted<std::uint64_t, TypeParam>(keys).passes[kLeadingDigits].count), 0U);
  for (const std::uint64_t place : {std::uint64_t{0}, kCount / 2, kCount - 2}) {
    std::vector<std::uint64_t> disturbed = keys;
    std::swap(disturbed[place], disturbed[place + 1]);
    EXPECT_EQ((expect_sorted<std::uint64_t, TypeParam>(disturbed).unsorted), 1U);
  }
}

/// Groups of 1 to 100 items that only their lowest three bytes tell apart, at all places in the repair's tiles.
TYPED_TEST(RadixLeadingDigitsGpu, GroupsOfEveryLengthAreRepaired) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(kSeed);
  for (const unsigned repeat : {1U, 2U, 3U}) {
    std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Distribution::kUniform, kCount, kSeed + repeat);
    std::uint64_t place = 0;
    for (unsigned length = 1; length <= 100; ++length) {
      const std::uint64_t leading = random() & ~0xffffffULL;
      for (unsigned i = 0; i < length; ++i) keys[place++] = leading | (random() & 0xffffff) % (length * repeat);
    }
    std::ranges::shuffle(keys, random);
    const RadixPlan plan = expect_sorted<std::uint64_t, TypeParam>(keys);
    EXPECT_LT(plan.passes[kLeadingDigits].count, 6U);
    EXPECT_EQ(plan.failed, 0U);
    EXPECT_GT(plan.group_count, 0U);
  }
}

TYPED_TEST(RadixLeadingDigitsGpu, ARareKeyAmongManyLikeItIsRepaired) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t popular = 0x5a5a5a5a5a000002ULL;
  std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Distribution::kUniform, kCount, kSeed);
  std::fill_n(keys.begin(), 100'000, popular);
  const std::vector<std::uint64_t> places = unsampled_places(kCount, 3);
  keys[places[0]] = popular - 1;
  keys[places[1]] = popular + 1;
  keys[places[2]] = popular - 1;
  const RadixPlan plan = expect_sorted<std::uint64_t, TypeParam>(keys);
  EXPECT_EQ(plan.failed, 0U);
  EXPECT_GT(plan.group_count, 0U);
}

TYPED_TEST(RadixLeadingDigitsGpu, DisorderBeyondRepairIsSortedByAllDigits) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> keys(kCount, 0x5a5a5a5a5a5a5a5aULL);
  for (const std::uint64_t place : unsampled_places(kCount, 5)) keys[place] -= place % 3;
  const RadixPlan plan = expect_sorted<std::uint64_t, TypeParam>(keys);
  EXPECT_EQ(plan.failed, 1U);
  EXPECT_EQ(plan.passes[kAllDigits].count, 1U);
}

/// Digits that are constant in the sample and not in all keys are counted in a second read.
TYPED_TEST(RadixLeadingDigitsGpu, DigitsThatTheSampleTookForConstantAreSortedBy) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Distribution::kUniform, kCount, kSeed);
  for (std::uint64_t& key : keys) key = (key & 0x00ffffffff00ffffULL) | 0x1200000000340000ULL;
  for (const std::uint64_t place : unsampled_places(kCount, 5)) keys[place] ^= 0x0700000000120000ULL;
  const RadixPlan plan = expect_sorted<std::uint64_t, TypeParam>(keys);
  EXPECT_EQ(plan.failed, 0U);
}

}  // namespace
}  // namespace sortie::kernels
