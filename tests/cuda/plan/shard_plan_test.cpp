// Cuts and exchange of a sort over several GPUs, with shards of the host in their place.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>
#include <string>

#include "cuda/plan/host_shards.hpp"
#include "support/distributions.hpp"

namespace sortie::cuda {
namespace {

/// The host answers one at a time.
constexpr unsigned kFewTries = 3;

std::vector<std::uint64_t> make_codes(Distribution distribution, std::uint64_t count, unsigned key_bits) {
  std::vector<std::uint64_t> codes = make_keys<std::uint64_t>(distribution, count, 91);
  for (std::uint64_t& code : codes) code >>= 64 - key_bits;
  return codes;
}

/// Sizes of shards by a rule: even, one of them all, every second empty, and by chance.
std::vector<std::vector<std::uint64_t>> shapes_of(std::size_t shard_count) {
  std::vector<std::uint64_t> by_chance;
  std::mt19937_64 random(shard_count);
  for (std::size_t i = 0; i < shard_count; ++i) by_chance.push_back(random() % 3 == 0 ? 0 : random() % 700);
  std::vector<std::uint64_t> all_in_first(shard_count, 0);
  all_in_first.front() = 1000;
  std::vector<std::uint64_t> all_in_last(shard_count, 0);
  all_in_last.back() = 1000;
  std::vector<std::uint64_t> every_second(shard_count, 0);
  for (std::size_t i = 1; i < shard_count; i += 2) every_second[i] = 300;
  std::vector<std::uint64_t> growing(shard_count);
  std::iota(growing.begin(), growing.end(), 1);
  return {std::vector<std::uint64_t>(shard_count, 400),
          std::vector<std::uint64_t>(shard_count, 1),
          std::vector<std::uint64_t>(shard_count, 0),
          by_chance,
          all_in_first,
          all_in_last,
          every_second,
          growing};
}

void expect_ranges_of_the_whole(const std::vector<std::uint64_t>& codes, const std::vector<std::uint64_t>& counts,
                                unsigned key_bits) {
  HostShards shards(codes, counts, key_bits, kFewTries);
  shards.sort();
  std::vector<HostItem> whole;
  for (std::uint64_t i = 0; i < codes.size(); ++i) whole.push_back({codes[i], i});
  std::ranges::stable_sort(whole, comes_before);
  auto next = whole.begin();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::vector<HostItem>& shard = shards.shards()[i];
    ASSERT_EQ(shard.size(), counts[i]) << "shard " << i;
    ASSERT_TRUE(std::equal(shard.begin(), shard.end(), next)) << "shard " << i;
    next += static_cast<std::ptrdiff_t>(shard.size());
  }
}

TEST(ShardPlan, GivesEachShardItsRangeOfTheWholeInStableOrder) {
  for (std::size_t shard_count = 1; shard_count <= 16; ++shard_count) {
    for (const std::vector<std::uint64_t>& counts : shapes_of(shard_count)) {
      const std::uint64_t count = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
      for (const Distribution distribution : kAllDistributions) {
        for (const unsigned key_bits : {8U, 32U, 64U}) {
          SCOPED_TRACE(std::to_string(shard_count) + " shards, " + std::to_string(count) + " items, " +
                       to_string(distribution) + ", " + std::to_string(key_bits) + " bits");
          expect_ranges_of_the_whole(make_codes(distribution, count, key_bits), counts, key_bits);
        }
      }
    }
  }
}

TEST(ShardPlan, CutsAtTheLeastAndTheGreatestKey) {
  const std::uint64_t greatest = ~std::uint64_t{0};
  for (const auto& codes : std::vector<std::vector<std::uint64_t>>{
           {0, 0, 0, 0}, {greatest, greatest, greatest, greatest}, {greatest, 0, greatest, 0}, {0, greatest, 1, 1}}) {
    expect_ranges_of_the_whole(codes, {2, 2}, 64);
    expect_ranges_of_the_whole(codes, {1, 3}, 64);
    expect_ranges_of_the_whole(codes, {0, 4}, 64);
    expect_ranges_of_the_whole(codes, {1, 1, 1, 1}, 64);
  }
}

TEST(ShardPlan, CopiesNothingWhereTheOrderIsRightAlready) {
  std::vector<std::uint64_t> codes(1000);
  std::iota(codes.begin(), codes.end(), 5);
  const std::vector<std::uint64_t> counts = {300, 0, 500, 200};
  HostShards shards(codes, counts, 64, kFewTries);
  for (const ShardExchange& plan : plan_exchange(counts, shards.cut())) {
    EXPECT_TRUE(plan.stays);
    EXPECT_TRUE(plan.transfers.empty());
    EXPECT_TRUE(plan.readers.empty());
  }
}

TEST(ShardPlan, LetsNoTwoShardsAskTheSameOneInOneTurn) {
  constexpr std::size_t kShards = 8;
  RankCuts cuts;
  for (std::size_t k = 0; k <= kShards; ++k) cuts.emplace_back(kShards, 10 * k);
  const std::vector<ShardExchange> plans = plan_exchange(std::vector<std::uint64_t>(kShards, 80), cuts);
  for (std::size_t turn = 0; turn < kShards; ++turn) {
    std::vector<bool> is_asked(kShards, false);
    for (const ShardExchange& plan : plans) {
      ASSERT_EQ(plan.transfers.size(), kShards);
      EXPECT_FALSE(is_asked[plan.transfers[turn].from]);
      is_asked[plan.transfers[turn].from] = true;
    }
  }
}

TEST(ShardPlan, AsksNoMoreThanItSays) {
  for (std::size_t shard_count = 2; shard_count <= 16; ++shard_count) {
    const std::vector<std::uint64_t> counts(shard_count, 50);
    const unsigned tries = tries_per_cut(shard_count - 1);
    EXPECT_TRUE(std::has_single_bit(tries + 1));
    EXPECT_EQ(most_values_asked(shard_count - 1), (shard_count - 1) * tries);
    for (const unsigned key_bits : {32U, 64U}) {
      HostShards shards(make_codes(Distribution::kUniform, shard_count * 50, key_bits), counts, key_bits, tries);
      shards.sort();
      const unsigned bits_of_question = static_cast<unsigned>(std::bit_width(tries));
      EXPECT_LE(shards.questions(), (key_bits + bits_of_question - 1) / bits_of_question + 1);
      EXPECT_LE(shards.questions(), key_bits == 64 ? 9U : 5U);
    }
  }
}

TEST(ShardPlan, AsksOnlyUntilKeysAreToldApart) {
  const std::vector<std::uint64_t> counts(4, 1000);
  const unsigned tries = tries_per_cut(3);
  HostShards differing(make_codes(Distribution::kUniform, 4000, 64), counts, 64, tries);
  differing.sort();
  EXPECT_LE(differing.questions(), 2U);
  HostShards equal(make_codes(Distribution::kConstant, 4000, 64), counts, 64, tries);
  equal.sort();
  EXPECT_GT(equal.questions(), 4U);
}

}  // namespace
}  // namespace sortie::cuda
