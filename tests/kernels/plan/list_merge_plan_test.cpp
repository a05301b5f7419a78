#include "kernels/merge/list_merge_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/merge/list_rounds.hpp"
#include "kernels/merge/merge_order.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

constexpr ListTuning kSmallLists{40, 5, 4, 1};  // tiles of up to 160 items; samples every 4 items of 16 lists
using Keys = std::vector<std::uint32_t>;
using Positions = std::vector<std::uint64_t>;
using ListOrder = CodeOrder<std::uint32_t, NoValue, PlainKeys>;

std::vector<std::uint64_t> offsets_of(const std::vector<std::uint64_t>& lengths) {
  std::vector<std::uint64_t> offsets{0};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

Keys sorted_lists_of(Distribution distribution, const ListPass& pass, std::uint64_t seed) {
  Keys keys = make_keys<std::uint32_t>(distribution, pass.offsets[pass.sequence_count], seed);
  for (std::uint64_t group = 0; group < pass.group_count(); ++group) {
    for (unsigned list = 0; list < pass.ways(); ++list) {
      std::sort(keys.begin() + pass.list_begin(group, list), keys.begin() + pass.list_begin(group, list + 1));
    }
  }
  return keys;
}

/// A pass as the kernels make it, tile by tile, with the samples of a tile sorted by the library.
class PassOnHost {
 public:
  PassOnHost(const Keys& keys, const ListPass& pass)
      : keys_(keys),
        pass_(pass),
        levels_(list_levels(kSmallLists, pass.ways())),
        highest_(highest_level(keys.size(), pass.ways(), kSmallLists)) {}

  /// The positions of the items in merged order.
  Positions merged() {
    for (unsigned level = highest_;; --level) {
      const Positions items = merge_level(level);
      if (level == 0) return items;
    }
  }

 private:
  LevelSlots slots(unsigned level) const { return level_slots(kSmallLists, level, highest_, pass_.ways()); }

  Positions merge_level(unsigned level) {
    Positions all;
    lower_limits_.clear();
    if (level > 0) lower_limits_.resize(level_limit_words(pass_, keys_.size(), slots(level - 1)));
    const std::uint64_t slot_count = slots(level).first_slot(keys_.size(), pass_.group_count());
    for (std::uint64_t slot = 0; slot < slot_count; ++slot) {
      const Positions tile = merge_tile(level, slot);
      all.insert(all.end(), tile.begin(), tile.end());
    }
    limits_ = lower_limits_;
    return all;
  }

  Positions merge_tile(unsigned level, std::uint64_t slot) {
    const std::uint64_t group = slots(level).group_of(pass_, slot);
    const std::uint64_t tile = slot - slots(level).first_slot(pass_.list_begin(group, 0), group);
    std::uint64_t samples = 0;
    for (unsigned list = 0; list < pass_.ways(); ++list) samples += count(group, list, level + 1);
    const std::uint64_t tile_count =
        level == highest_ ? 1 : sample_count(samples, level_tuning(kSmallLists, level).group(pass_.ways()));
    if (tile >= tile_count) return {};
    std::vector<std::uint64_t> begins(pass_.ways());
    std::vector<std::uint64_t> ends(pass_.ways());
    std::uint64_t rank = 0;
    Positions items;
    for (unsigned list = 0; list < pass_.ways(); ++list) {
      begins[list] = tile == 0 ? 0 : limits_.at(slot * pass_.ways() + list);
      ends[list] = tile + 1 == tile_count ? count(group, list, level) : limits_.at((slot + 1) * pass_.ways() + list);
      EXPECT_LE(begins[list], ends[list]);
      rank += begins[list];
      for (std::uint64_t i = begins[list]; i < ends[list]; ++i) {
        items.push_back(pass_.list_begin(group, list) + i * levels_.unit(level));
      }
    }
    EXPECT_LE(items.size(), level_tuning(kSmallLists, level).tile_capacity());
    std::ranges::stable_sort(items, {}, [&](std::uint64_t position) { return keys_[position]; });
    if (level > 0) write_limits(level, group, rank, items, begins, ends);
    return items;
  }

  void write_limits(unsigned level, std::uint64_t group, std::uint64_t rank, const Positions& samples,
                    const std::vector<std::uint64_t>& begins, const std::vector<std::uint64_t>& ends) {
    const unsigned below = level - 1;
    const unsigned samples_per_tile = level_tuning(kSmallLists, below).group(pass_.ways());
    const std::uint64_t first_slot = slots(below).first_slot(pass_.list_begin(group, 0), group);
    for (std::uint64_t i = 0; i < samples.size(); ++i) {
      if ((rank + i) % samples_per_tile != 0) continue;
      const std::uint64_t slot = first_slot + (rank + i) / samples_per_tile;
      for (unsigned list = 0; list < pass_.ways(); ++list) {
        const std::uint64_t begin = pass_.list_begin(group, list);
        const std::uint64_t end = pass_.list_begin(group, list + 1);
        const std::uint32_t* items = keys_.data() + begin;
        const bool own = begin <= samples[i] && samples[i] < end;
        lower_limits_.at(slot * pass_.ways() + list) =
            own ? (samples[i] - begin) / levels_.unit(below)
                : limit_in_list(items, end - begin, levels_, below, begins[list], ends[list], keys_[samples[i]],
                                end <= samples[i], std::less<>());
      }
    }
  }

  std::uint64_t count(std::uint64_t group, unsigned list, unsigned level) const {
    return sample_count(pass_.list_begin(group, list + 1) - pass_.list_begin(group, list), levels_.unit(level));
  }

  const Keys& keys_;
  const ListPass pass_;
  const ListLevels levels_;
  const unsigned highest_;
  std::vector<std::uint64_t> limits_;
  std::vector<std::uint64_t> lower_limits_;
};

void expect_pass_is_a_stable_sort_of_each_group(Distribution distribution, const std::vector<std::uint64_t>& lengths,
                                                unsigned rounds_before, unsigned way_bits) {
  const std::vector<std::uint64_t> offsets = offsets_of(lengths);
  const ListPass pass{offsets.data(), static_cast<std::uint32_t>(lengths.size()), rounds_before, way_bits};
  const Keys keys = sorted_lists_of(distribution, pass, 3);
  Positions expected(keys.size());
  std::iota(expected.begin(), expected.end(), std::uint64_t{0});
  for (std::uint64_t group = 0; group < pass.group_count(); ++group) {
    std::stable_sort(expected.begin() + pass.list_begin(group, 0),
                     expected.begin() + pass.list_begin(group, pass.ways()),
                     [&](std::uint64_t a, std::uint64_t b) { return keys[a] < keys[b]; });
  }
  ASSERT_EQ(PassOnHost(keys, pass).merged(), expected)
      << to_string(distribution) << ", " << lengths.size() << " sequences of " << lengths.front() << " and so on, "
      << rounds_before << " rounds before, " << pass.ways() << " ways";
}

TEST(ListMergePlan, TilesOfAllLevelsAreBoundedAndMakeAStableMerge) {
  const std::vector<std::vector<std::uint64_t>> shapes{
      {0},
      {1},
      {143, 0, 1},
      {145},
      {7, 0, 0, 9, 20'000, 1, 5000},
      std::vector<std::uint64_t>(16, 1000),
      std::vector<std::uint64_t>(16, 16'000),
      std::vector<std::uint64_t>(17, 64),
      std::vector<std::uint64_t>(100, 33),
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9000},
  };
  for (const Distribution distribution : kAllDistributions) {
    for (const auto& lengths : shapes) {
      for (unsigned way_bits = 2; way_bits <= kMostWayBits; ++way_bits) {
        expect_pass_is_a_stable_sort_of_each_group(distribution, lengths, 0, way_bits);
      }
      expect_pass_is_a_stable_sort_of_each_group(distribution, lengths, 3, 2);
    }
  }
}

TEST(ListMergePlan, RandomShapes) {
  std::mt19937_64 random(11);
  for (int repeat = 0; repeat < 300; ++repeat) {
    std::vector<std::uint64_t> lengths(1 + random() % 60);
    for (std::uint64_t& length : lengths) length = random() % (1 + random() % 2000);
    expect_pass_is_a_stable_sort_of_each_group(kAllDistributions[random() % std::size(kAllDistributions)], lengths,
                                               static_cast<unsigned>(random() % 3),
                                               static_cast<unsigned>(2 + random() % 3));
  }
}

TEST(ListMergePlan, ScratchForMoreSequencesIsEnoughForFewer) {
  for (const std::uint64_t count : {0ULL, 1000ULL, 1ULL << 20, 1ULL << 33}) {
    std::uint64_t last = 0;
    for (const std::uint32_t sequences : {0U, 1U, 2U, 3U, 16U, 17U, 300U, 1U << 20}) {
      const std::uint64_t bytes = list_pass_scratch_bytes(count, sequences);
      EXPECT_GE(bytes, last) << count << " items, " << sequences << " sequences";
      last = bytes;
    }
  }
  EXPECT_LT(list_pass_scratch_bytes(1ULL << 40, 16), (1ULL << 40) / 8) << "and levels do not run out";
}

/// All rounds of a tile, with a share after the other.
Keys merged_by_rounds(const std::vector<Keys>& lists, unsigned phase, std::mt19937_64& random) {
  constexpr unsigned kItems = 5;
  std::vector<unsigned> positions;
  std::vector<unsigned> starts{0};
  Keys memory(random() % 4);
  for (const Keys& list : lists) {
    positions.push_back(static_cast<unsigned>(memory.size()));
    starts.push_back(starts.back() + static_cast<unsigned>(list.size()));
    memory.insert(memory.end(), list.begin(), list.end());
    memory.resize(memory.size() + random() % 4, 0xdead);
  }
  memory.resize(memory.size() + phase + kItems + 1, 0xdead);
  const auto list_count = static_cast<unsigned>(lists.size());
  for (unsigned round = 0; needs_round(list_count, round); ++round) {
    Keys result = memory;
    const RoundLists round_lists{positions.data(), starts.data(), list_count, phase, round};
    for (unsigned thread = 0; thread < most_shares(starts.back(), list_count, kItems); ++thread) {
      const RoundShare share = round_share(round_lists, thread, kItems);
      if (share.count == 0) continue;
      std::uint32_t keys[kItems];
      unsigned slots[kItems];
      merge_share(
          round_lists, share, [&](unsigned position) { return memory.data() + position; }, ListOrder{}, keys, slots);
      const unsigned target = phase + round_lists.start(2 * share.pair) + share.first;
      for (unsigned k = 0; k < share.count; ++k) {
        EXPECT_EQ(keys[k], memory[slots[k]]);
        result[target + k] = keys[k];
      }
    }
    memory = result;
  }
  return {memory.begin() + phase, memory.begin() + phase + starts.back()};
}

TEST(ListRounds, MergeAnyNumberOfListsByShares) {
  std::mt19937_64 random(5);
  for (const Distribution distribution : kAllDistributions) {
    for (unsigned list_count = 1; list_count <= 16; ++list_count) {
      std::vector<Keys> lists;
      Keys expected;
      for (unsigned i = 0; i < list_count; ++i) {
        lists.push_back(make_keys<std::uint32_t>(distribution, 1 + random() % 40, random()));
        std::ranges::sort(lists.back());
        expected.insert(expected.end(), lists.back().begin(), lists.back().end());
      }
      std::ranges::sort(expected);
      ASSERT_EQ(merged_by_rounds(lists, static_cast<unsigned>(random() % 4), random), expected)
          << to_string(distribution) << ", " << list_count << " lists";
    }
  }
}

/// A key with the list it comes from. Only keys are compared.
struct Tagged {
  std::uint32_t key;
  unsigned list;
};

struct TaggedOrder {
  using Key = Tagged;
  bool operator()(const Tagged& a, const Tagged& b) const { return a.key < b.key; }
  Tagged key_of(const Tagged& item) const { return item; }
};

TEST(ListRounds, EqualItemsKeepTheOrderOfTheirLists) {
  const std::vector<Tagged> memory{{1, 0}, {1, 0}, {1, 1}, {2, 1}, {1, 2}, {1, 3},
                                   {2, 3}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  const unsigned positions[] = {0, 2, 4, 5};
  const unsigned starts[] = {0, 2, 4, 5, 7};
  std::vector<Tagged> items = memory;
  for (unsigned round = 0; needs_round(4, round); ++round) {
    const RoundLists round_lists{positions, starts, 4, 0, round};
    const std::vector<Tagged> before = items;
    for (unsigned thread = 0; thread < most_shares(7, 4, 7); ++thread) {
      const RoundShare share = round_share(round_lists, thread, 7);
      Tagged keys[7];
      unsigned slots[7];
      if (share.count == 0) continue;
      merge_share(
          round_lists, share, [&](unsigned position) { return before.data() + position; }, TaggedOrder{}, keys, slots);
      std::copy(keys, keys + share.count, items.begin() + round_lists.start(2 * share.pair) + share.first);
    }
  }
  const unsigned lists[] = {0, 0, 1, 2, 3, 1, 3};
  for (unsigned i = 0; i < 7; ++i) EXPECT_EQ(items[i].list, lists[i]) << i;
}

}  // namespace
}  // namespace sortie::kernels
