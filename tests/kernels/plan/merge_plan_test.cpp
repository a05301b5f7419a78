#include "kernels/merge/merge_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "kernels/merge/merge_order.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

constexpr MergeTuning kSmall{4, 5, 2, 1};  // tiles of up to 20 items, 9 samples, stride 2
using Keys = std::vector<std::uint32_t>;

Keys sorted_keys(Distribution distribution, std::uint64_t count, std::uint64_t seed) {
  Keys keys = make_keys<std::uint32_t>(distribution, count, seed);
  std::ranges::sort(keys);
  return keys;
}

TEST(MergePath, SplitsWhereTheStableMergeWould) {
  for (const Distribution distribution : kAllDistributions) {
    const Keys a = sorted_keys(distribution, 23, 1);
    const Keys b = sorted_keys(distribution, 40, 2);
    std::uint64_t from_a = 0;
    for (std::uint64_t diagonal = 0; diagonal <= a.size() + b.size(); ++diagonal) {
      ASSERT_EQ((merge_path<std::uint64_t>(a, a.size(), b, b.size(), diagonal, std::less<>())), from_a)
          << to_string(distribution) << ", diagonal " << diagonal;
      const std::uint64_t from_b = diagonal - from_a;
      const bool takes_a = from_a < a.size() && (from_b == b.size() || a[from_a] <= b[from_b]);
      from_a += takes_a ? 1 : 0;
    }
  }
}

TEST(RightPhaseShift, GivesPositionsThePhaseOfTheirAddresses) {
  for (const std::uint64_t item_bytes : {4, 8}) {
    for (std::uint64_t first_count = 0; first_count < 9; ++first_count) {
      for (std::uint64_t address = 256; address < 256 + 64; address += item_bytes) {
        const unsigned shift = right_phase_shift(first_count, address, item_bytes);
        ASSERT_LT(shift, kPhaseItems);
        for (std::uint64_t i = 0; i < 8; ++i) {
          const std::uint64_t phase_bytes = phase_of(first_count + i + shift) * item_bytes;
          ASSERT_EQ(phase_bytes % 16, (address + i * item_bytes) % 16) << first_count << ", " << address;
        }
      }
    }
  }
}

/// The limits of all samples, found by ranking each sample in the whole other side.
std::vector<std::pair<std::uint64_t, std::uint64_t>> limits_by_ranking(const Keys& a, const Keys& b, unsigned stride) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> limits;
  for (std::uint64_t i = 0; i < a.size(); i += stride) {
    limits.emplace_back(i, std::ranges::lower_bound(b, a[i]) - b.begin());
  }
  for (std::uint64_t j = 0; j < b.size(); j += stride) {
    limits.emplace_back(std::ranges::upper_bound(a, b[j]) - a.begin(), j);
  }
  std::ranges::sort(limits);
  return limits;
}

TEST(SampleLimit, IsTheRankOfTheSampleInBothSides) {
  std::mt19937_64 random(7);
  for (const Distribution distribution : kAllDistributions) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      const Keys a = sorted_keys(distribution, random() % 60, random());
      const Keys b = sorted_keys(distribution, random() % 60, random() % 2 == 0 ? 1 : random());
      const auto expected = limits_by_ranking(a, b, 4);
      for (std::uint64_t sample = 0; sample < expected.size(); ++sample) {
        const MergeSplit limit = sample_limit(a, a.size(), b, b.size(), 4, sample, std::less<>());
        ASSERT_EQ(limit.a, expected[sample].first) << to_string(distribution) << ", sample " << sample;
        ASSERT_EQ(limit.b, expected[sample].second) << to_string(distribution) << ", sample " << sample;
      }
    }
  }
}

/// The floats descend, and the search sees only the codes of their bits.
TEST(SampleLimit, IsFoundByTheCodesOfNumbers) {
  using Order = CodeOrder<std::uint32_t, NoValue, KeyCodec<std::uint32_t>>;
  const Order order{make_key_codec<std::uint32_t>(FieldKind::kFloat, true)};
  const auto bits_of = [&](const Keys& codes) {
    Keys bits;
    for (const std::uint32_t code : codes) bits.push_back(order.key_of(code));
    return bits;
  };
  for (const Distribution distribution : kAllDistributions) {
    const Keys a = sorted_keys(distribution, 57, 5);
    const Keys b = sorted_keys(distribution, 40, 6);
    const Keys a_bits = bits_of(a);
    const Keys b_bits = bits_of(b);
    const auto expected = limits_by_ranking(a, b, 4);
    for (std::uint64_t sample = 0; sample < expected.size(); ++sample) {
      const MergeSplit limit = sample_limit(order.sequence(a_bits.data(), nullptr), a.size(),
                                            order.sequence(b_bits.data(), nullptr), b.size(), 4, sample, order);
      ASSERT_EQ(limit.a, expected[sample].first) << to_string(distribution) << ", sample " << sample;
      ASSERT_EQ(limit.b, expected[sample].second) << to_string(distribution) << ", sample " << sample;
    }
  }
}

TEST(SampleLimit, TilesAreBoundedHoweverUnevenTheSides) {
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t a_count : {0, 1, 7, 500}) {
      for (const std::uint64_t b_count : {0, 1, 8, 9000}) {
        const Keys a = sorted_keys(distribution, a_count, 3);
        const Keys b = sorted_keys(distribution, b_count, 3);
        const std::uint64_t tiles = merge_tile_count({0, a_count, a_count + b_count}, kSmall);
        MergeSplit last{0, 0};
        for (std::uint64_t tile = 1; tile <= tiles; ++tile) {
          const MergeSplit limit =
              tile == tiles ? MergeSplit{a_count, b_count}
                            : sample_limit(a, a_count, b, b_count, kSmall.stride, tile * kSmall.group(), std::less<>());
          ASSERT_GE(limit.a, last.a);
          ASSERT_GE(limit.b, last.b);
          ASSERT_LE(limit.a - last.a + limit.b - last.b, kSmall.tile_capacity()) << to_string(distribution);
          last = limit;
        }
      }
    }
  }
}

TEST(MergePlan, RoundsPairNeighboursAndLeaveTheOddOneAlone) {
  const std::vector<std::uint64_t> offsets{0, 10, 10, 25, 40, 47};  // five sequences
  EXPECT_EQ(merge_pair_count(5, 0), 3U);
  EXPECT_EQ(merge_pair_count(5, 1), 2U);
  EXPECT_EQ(merge_pair_count(5, 2), 1U);
  EXPECT_EQ(merge_pair_count(1, 0), 1U);
  const MergePair odd = merge_pair(offsets.data(), 5, 0, 2);
  EXPECT_EQ(odd.a_begin, 40U);
  EXPECT_EQ(odd.a_count(), 7U);
  EXPECT_EQ(odd.b_count(), 0U);
  const MergePair last = merge_pair(offsets.data(), 5, 2, 0);
  EXPECT_EQ(last.a_count(), 40U);
  EXPECT_EQ(last.b_count(), 7U);
}

TEST(MergePlan, EverySlotHasOneOwnerAndEveryTileASlot) {
  std::mt19937_64 random(9);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto sequence_count = static_cast<std::uint32_t>(1 + random() % 30);
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t i = 0; i < sequence_count; ++i)
      offsets.push_back(offsets.back() + random() % (1 + random() % 90));
    for (unsigned round = 0; round < 6; ++round) {
      const std::uint64_t pairs = merge_pair_count(sequence_count, round);
      const std::uint64_t slots = merge_slot_count(offsets.back(), pairs, kSmall);
      std::vector<std::uint64_t> slots_of_pair(pairs);
      for (std::uint64_t slot = 0; slot < slots; ++slot) {
        const std::uint64_t pair = pair_of_slot(offsets.data(), pairs, round, slot, kSmall);
        ASSERT_LT(pair, pairs);
        ASSERT_EQ(slot, merge_slot(merge_pair(offsets.data(), sequence_count, round, pair).a_begin, pair, kSmall) +
                            slots_of_pair[pair]);
        ++slots_of_pair[pair];
      }
      for (std::uint64_t pair = 0; pair < pairs; ++pair) {
        ASSERT_GE(slots_of_pair[pair],
                  merge_tile_count(merge_pair(offsets.data(), sequence_count, round, pair), kSmall));
      }
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
