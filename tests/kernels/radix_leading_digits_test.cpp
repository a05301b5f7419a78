// Sorts long enough to leave out their lowest digits: what the sample concludes from the keys, and the repair of the
// disorder that the passes leave.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_numbers.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kRadixLeadingDigitsCount = kShortenFrom + 4097;
constexpr std::uint64_t kRadixLeadingDigitsSeed = 31;

/// Positions that are not in the sample.
std::vector<std::uint64_t> unsampled_positions(std::uint64_t count, std::size_t wanted) {
  std::unordered_set<std::uint64_t> sampled;
  for (std::uint64_t i = 0; i < radix_sample_keys(count); ++i) sampled.insert(radix_sample_position(i, count));
  std::vector<std::uint64_t> positions;
  for (std::uint64_t i = count - 1; positions.size() < wanted; i -= count / wanted / 2) {
    while (sampled.contains(i)) --i;
    positions.push_back(i);
  }
  return positions;
}

/// Value is void for keys alone.
template <class Number64, class Number32, class Value_, SortOrder kOrder_>
struct Sort {
  using Wide = Number64;
  using Narrow = Number32;
  using Value = Value_;
  static constexpr SortOrder kOrder = kOrder_;
};

/// The tests give the codes of the keys, whatever numbers these stand for.
template <class Sort>
class RadixLeadingDigitsGpu : public testing::Test {
 public:
  /// Returns the plan of the sort.
  static RadixPlan expect_sorted(const std::vector<std::uint64_t>& codes) {
    return expect_codes_sorted<typename Sort::Wide>(codes);
  }

  static RadixPlan expect_sorted(const std::vector<std::uint32_t>& codes) {
    return expect_codes_sorted<typename Sort::Narrow>(codes);
  }

 private:
  template <class Number>
  static RadixPlan expect_codes_sorted(const std::vector<CodeOf<Number>>& codes) {
    const std::vector<Number> numbers = from_codes<Number>(codes, Sort::kOrder);
    if constexpr (std::is_void_v<typename Sort::Value>) {
      return expect_numbers_sorted(numbers, Sort::kOrder);
    } else {
      return expect_pairs_sorted<Number, typename Sort::Value>(numbers, Sort::kOrder);
    }
  }
};

using Sorts = testing::Types<Sort<std::uint64_t, std::uint32_t, std::uint32_t, SortOrder::kAscending>,
                             Sort<std::uint64_t, std::uint32_t, std::uint64_t, SortOrder::kAscending>,
                             Sort<std::uint64_t, std::uint32_t, void, SortOrder::kDescending>,
                             Sort<std::int64_t, std::int32_t, std::uint32_t, SortOrder::kAscending>,
                             Sort<std::int64_t, std::int32_t, std::uint64_t, SortOrder::kDescending>,
                             Sort<double, float, void, SortOrder::kAscending>,
                             Sort<double, float, std::uint32_t, SortOrder::kDescending>,
                             Sort<double, float, std::uint64_t, SortOrder::kAscending>>;
TYPED_TEST_SUITE(RadixLeadingDigitsGpu, Sorts);

TYPED_TEST(RadixLeadingDigitsGpu, AllDistributionsAreSorted) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    SCOPED_TRACE(to_string(distribution) + ", seed " + std::to_string(kRadixLeadingDigitsSeed));
    TestFixture::expect_sorted(
        make_keys<std::uint64_t>(distribution, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed));
    TestFixture::expect_sorted(
        make_keys<std::uint32_t>(distribution, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed));
  }
}

TYPED_TEST(RadixLeadingDigitsGpu, UniformKeysTakeAPassPerDigitThatMatters) {
  SORTIE_REQUIRE_GPU();
  const RadixPlan plan = TestFixture::expect_sorted(
      make_keys<std::uint64_t>(Distribution::kUniform, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed));
  EXPECT_EQ(plan.passes[kLeadingDigits].count, 3U);
  EXPECT_EQ(plan.passes[kAllDigits].count, 0U);
}

TYPED_TEST(RadixLeadingDigitsGpu, PresortedKeysTakeNoPass) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> keys =
      make_keys<std::uint64_t>(Distribution::kSorted, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed);
  EXPECT_EQ(TestFixture::expect_sorted(keys).passes[kLeadingDigits].count, 0U);
  for (const std::uint64_t position : {std::uint64_t{0}, kRadixLeadingDigitsCount / 2, kRadixLeadingDigitsCount - 2}) {
    std::vector<std::uint64_t> disturbed = keys;
    std::swap(disturbed[position], disturbed[position + 1]);
    EXPECT_EQ(TestFixture::expect_sorted(disturbed).unsorted, 1U);
  }
}

/// Groups of 1 to 100 items that only their lowest three bytes tell apart, at all positions in the repair's tiles.
TYPED_TEST(RadixLeadingDigitsGpu, GroupsOfEveryLengthAreRepaired) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(kRadixLeadingDigitsSeed);
  for (const unsigned repeat : {1U, 2U, 3U}) {
    std::vector<std::uint64_t> keys =
        make_keys<std::uint64_t>(Distribution::kUniform, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed + repeat);
    std::uint64_t position = 0;
    for (unsigned length = 1; length <= 100; ++length) {
      const std::uint64_t leading = random() & ~0xffffffULL;
      for (unsigned i = 0; i < length; ++i) keys[position++] = leading | (random() & 0xffffff) % (length * repeat);
    }
    std::ranges::shuffle(keys, random);
    const RadixPlan plan = TestFixture::expect_sorted(keys);
    EXPECT_LT(plan.passes[kLeadingDigits].count, 6U);
    EXPECT_EQ(plan.failed, 0U);
    EXPECT_GT(plan.group_count, 0U);
  }
}

TYPED_TEST(RadixLeadingDigitsGpu, ARareKeyAmongManyLikeItIsRepaired) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t popular = 0x5a5a5a5a5a000002ULL;
  std::vector<std::uint64_t> keys =
      make_keys<std::uint64_t>(Distribution::kUniform, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed);
  std::fill_n(keys.begin(), 100'000, popular);
  const std::vector<std::uint64_t> positions = unsampled_positions(kRadixLeadingDigitsCount, 3);
  keys[positions[0]] = popular - 1;
  keys[positions[1]] = popular + 1;
  keys[positions[2]] = popular - 1;
  const RadixPlan plan = TestFixture::expect_sorted(keys);
  EXPECT_EQ(plan.failed, 0U);
  EXPECT_GT(plan.group_count, 0U);
}

/// As many groups as can be noted, at positions whose slots in the hash table of groups are neighbours. To find a slot
/// for each would take time quadratic in their number.
std::vector<std::uint64_t> codes_of_crowding_groups() {
  constexpr unsigned kGroupLength = 17;
  constexpr std::uint64_t kCrowdedSlots = 512;
  const std::uint64_t slots = radix_claim_slots(radix_group_capacity(kRadixLeadingDigitsCount));
  std::vector<std::uint64_t> members;
  std::vector<std::uint64_t> others;
  for (std::uint64_t position = 0, rank = 0; position < kRadixLeadingDigitsCount; ++rank) {
    const std::uint64_t leading = rank << 40;
    if ((scattered(position + 1) & (slots - 1)) >= kCrowdedSlots ||
        position + kGroupLength > kRadixLeadingDigitsCount) {
      others.push_back(leading);
      ++position;
      continue;
    }
    for (unsigned i = 0; i < kGroupLength; ++i) members.push_back(leading | (kGroupLength - i));
    position += kGroupLength;
  }
  std::unordered_set<std::uint64_t> sampled;
  for (std::uint64_t i = 0; i < radix_sample_keys(kRadixLeadingDigitsCount); ++i)
    sampled.insert(radix_sample_position(i, kRadixLeadingDigitsCount));
  // Leading digits descend outside the sample, and each group keeps its order.
  std::vector<std::uint64_t> codes(kRadixLeadingDigitsCount);
  auto member = members.begin();
  auto other = others.rbegin();
  for (std::uint64_t i = 0; i < kRadixLeadingDigitsCount; ++i) {
    codes[i] = member != members.end() && !sampled.contains(i) ? *member++ : *other++;
  }
  return codes;
}

TYPED_TEST(RadixLeadingDigitsGpu, GroupsThatCrowdTheirTableAreLeftToTheSortByAllDigits) {
  SORTIE_REQUIRE_GPU();
  const RadixPlan plan = TestFixture::expect_sorted(codes_of_crowding_groups());
  EXPECT_EQ(plan.passes[kLeadingDigits].count, 3U);
  EXPECT_GT(plan.finding_count, 8192U);
  EXPECT_EQ(plan.failed, 1U);
}

/// Parts of up to some 300 items remain on either side of the frequent keys.
TYPED_TEST(RadixLeadingDigitsGpu, LongGroupsArePartedByTheirFrequentKeys) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(kRadixLeadingDigitsSeed);
  const std::vector<std::uint64_t> lengths{257, 1'024, 8'193, 100'000, 200'000};
  std::vector<std::uint64_t> keys =
      make_keys<std::uint64_t>(Distribution::kUniform, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed);
  std::vector<std::uint64_t> frequent;
  std::uint64_t position = 0;
  for (const std::uint64_t length : lengths) {
    frequent.push_back((random() & ~0xffffffULL) | 0x800000);
    std::fill_n(keys.begin() + static_cast<std::ptrdiff_t>(position), length, frequent.back());
    position += length;
  }
  for (const std::uint64_t rare : unsampled_positions(kRadixLeadingDigitsCount, 3'000)) {
    keys[rare] = frequent[rare % frequent.size()] + random() % 0x10000 - 0x8000;
  }
  const RadixPlan plan = TestFixture::expect_sorted(keys);
  EXPECT_EQ(plan.failed, 0U);
  EXPECT_EQ(plan.long_group_count, lengths.size());
  EXPECT_GT(plan.group_count, lengths.size());
}

TYPED_TEST(RadixLeadingDigitsGpu, DisorderBeyondRepairIsSortedByAllDigits) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> keys(kRadixLeadingDigitsCount, 0x5a5a5a5a5a5a5a5aULL);
  for (const std::uint64_t position : unsampled_positions(kRadixLeadingDigitsCount, 5)) keys[position] -= position % 3;
  const RadixPlan plan = TestFixture::expect_sorted(keys);
  EXPECT_EQ(plan.failed, 1U);
  EXPECT_EQ(plan.passes[kAllDigits].count, 1U);
}

TYPED_TEST(RadixLeadingDigitsGpu, AGroupTooLongForABlockIsSortedByAllDigits) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t popular = 0x5a5a5a5a5a000002ULL;
  std::vector<std::uint64_t> keys =
      make_keys<std::uint64_t>(Distribution::kUniform, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed);
  std::fill_n(keys.begin(), 300'000, popular);
  for (const std::uint64_t position : unsampled_positions(kRadixLeadingDigitsCount, 3)) keys[position] = popular - 1;
  const RadixPlan plan = TestFixture::expect_sorted(keys);
  EXPECT_GT(plan.passes[kLeadingDigits].count, 0U);
  EXPECT_EQ(plan.failed, 1U);
  EXPECT_EQ(plan.passes[kAllDigits].count, 8U);
}

/// A second read counts digits that are constant in the sample but not in all keys.
TYPED_TEST(RadixLeadingDigitsGpu, DigitsThatTheSampleTookForConstantAreSortedBy) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> keys =
      make_keys<std::uint64_t>(Distribution::kUniform, kRadixLeadingDigitsCount, kRadixLeadingDigitsSeed);
  for (std::uint64_t& key : keys) key = (key & 0x00ffffffff00ffffULL) | 0x1200000000340000ULL;
  for (const std::uint64_t position : unsampled_positions(kRadixLeadingDigitsCount, 5))
    keys[position] ^= 0x0700000000120000ULL;
  const RadixPlan plan = TestFixture::expect_sorted(keys);
  EXPECT_EQ(plan.failed, 0U);
}

}  // namespace
}  // namespace sortie::kernels
