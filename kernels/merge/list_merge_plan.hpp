// Index arithmetic of a pass that merges up to 16 lists at a time: which sequences form a list and a group of lists,
// where the tiles of a group begin, and which slot each tile has in a launch. Host and device functions, tested without
// a GPU.
//
//   level 0            the items of the lists
//   level l            every unit(l)-th item of each list: the samples of level l - 1
//   limit of a sample  how many items of level l - 1 of each list come before it; of equal items, those of earlier
//                      lists do
//   tile t of level l  from the limit of sample t * group of level l + 1, in merged order, to that of sample
//                      (t + 1) * group
//
//   level 2    one tile a group    -> limits of the tiles of level 1
//   level 1    | tile | tile | ... -> limits of the tiles of level 0
//   level 0    | tile | tile | tile | tile | ... -> merged items
//
// Between neighbouring samples lies less than a step of items of any list. So a tile with g samples holds at most
// g + ways - 1 steps, whatever the keys are, and one block merges it in shared memory. The samples of a level are
// merged as the items are, and the highest level has no more than one tile. So a tile is found by a few short searches,
// not by a selection among all lists.
//
// Limits that split several sorted lists at one rank: Varman, Scheufler, Iyer and Ricard, "Merging multiple lists on
// hierarchical-memory multiprocessors", 1991. Samples that bound the buckets of a GPU: Leischner, Osipov and Sanders,
// "GPU sample sort", 2010.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/merge/merge_path.hpp"
#include "kernels/merge/merge_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kMostWays = 1U << kMostWayBits;

/// Tile shape of a merge of several lists, as data.
struct ListTuning {
  unsigned threads;                    ///< per block
  unsigned items;                      ///< most items of a thread; odd, to spread over the banks of shared memory
  unsigned least_stride;               ///< items between samples if as many lists as possible are merged
  unsigned blocks_per_multiprocessor;  ///< blocks that the compiler must leave registers for

  /// Some threads are spare, since no thread makes items of two pairs of lists (list_rounds.hpp).
  SORTIE_HD constexpr unsigned tile_capacity() const { return (threads - kMostWays / 2) * items; }
  /// The fewer lists, the fewer samples fill the tiles as well.
  SORTIE_HD constexpr unsigned stride(unsigned ways) const { return least_stride * (kMostWays / ways); }
  /// Samples between two tile limits. A tile with g samples holds at most g + ways - 1 strides.
  SORTIE_HD constexpr unsigned group(unsigned ways) const { return tile_capacity() / stride(ways) - (ways - 1); }
};

/// Shapes of a pass over items, per size of key and value. value_bytes is 0 for keys alone. Shared memory of a block
/// must stay within 48 KB. Each was the fastest of four to nine on an H200, merging 16 lists of 2^24 uniform items
/// each; the numbers are milliseconds (tools/bench/RESULTS-kernels.md).
SORTIE_HD constexpr ListTuning list_tuning(std::size_t key_bytes, std::size_t value_bytes) {
  if (value_bytes == 0) {
    if (key_bytes == 4) return {256, 41, 64, 4};  // 1.66
    return {256, 21, 32, 4};                      // 2.98
  }
  if (key_bytes + value_bytes == 8) return {256, 21, 32, 4};   // not compared
  if (key_bytes + value_bytes == 12) return {128, 25, 32, 5};  // u64 + u32: 4.25
  return {128, 21, 32, 5};                                     // not compared
}

/// Of pairs whose ties are broken by their records. Not compared.
inline constexpr ListTuning kRecordListTuning{256, 13, 32, 3};

/// Of samples. Few items are samples, so larger strides save levels and cost little. Not compared.
SORTIE_HD constexpr ListTuning sample_tuning() { return {256, 11, 64, 3}; }

/// Whether LevelSlots has enough slots for tiles of this shape.
constexpr bool groups_exceed_ways(const ListTuning& tuning) {
  for (unsigned ways = 4; ways <= kMostWays; ways *= 2) {
    if (tuning.group(ways) < ways) return false;
  }
  return true;
}

/// The distances between the samples of each level.
struct ListLevels {
  unsigned item_stride;    ///< of level 1
  unsigned sample_stride;  ///< of a level, in samples of the level below

  /// Items between the samples of a level.
  SORTIE_HD constexpr std::uint64_t unit(unsigned level) const {
    std::uint64_t unit = level == 0 ? 1 : item_stride;
    for (unsigned below = 1; below < level; ++below) unit *= sample_stride;
    return unit;
  }
  /// Items of a level between the samples of the level above.
  SORTIE_HD constexpr unsigned step(unsigned level) const { return level == 0 ? item_stride : sample_stride; }
};

SORTIE_HD constexpr ListLevels list_levels(const ListTuning& tuning, unsigned ways) {
  return {tuning.stride(ways), sample_tuning().stride(ways)};
}

/// The tuning of the tiles of a level.
SORTIE_HD constexpr ListTuning level_tuning(const ListTuning& tuning, unsigned level) {
  return level == 0 ? tuning : sample_tuning();
}

/// The level whose samples fit into one tile, whatever the lengths of the lists are.
constexpr unsigned highest_level(std::uint64_t item_count, unsigned ways, const ListTuning& tuning) {
  unsigned level = 0;
  while (item_count / list_levels(tuning, ways).unit(level) + (level == 0 ? 0 : ways) >
         level_tuning(tuning, level).tile_capacity()) {
    ++level;
  }
  return level;
}

/// The lists of a pass. A list is a group of 2^rounds_before neighbouring sequences, which earlier passes have merged,
/// and a group is 2^way_bits neighbouring lists, which this pass merges. The last ones may be shorter or empty.
struct ListPass {
  const std::uint64_t* offsets;  ///< of the sequences
  std::uint32_t sequence_count;
  unsigned rounds_before;
  unsigned way_bits;

  SORTIE_HD constexpr unsigned ways() const { return 1U << way_bits; }
  SORTIE_HD constexpr std::uint64_t group_count() const {
    const unsigned bits = rounds_before + way_bits;
    return ((std::uint64_t{sequence_count} - 1) >> bits) + 1;
  }
  /// Where list `list` of the group begins; that of list `ways()` is the group's end.
  SORTIE_HD std::uint64_t list_begin(std::uint64_t group, unsigned list) const {
    const std::uint64_t sequence = ((group << way_bits) + list) << rounds_before;
    return offsets[sequence < sequence_count ? sequence : sequence_count];
  }
};

/// A launch over the tiles of one level of all groups.
struct LevelSlots {
  std::uint64_t mean_items;  ///< items of level 0 that a tile stands for on average
  bool is_highest;           ///< each group has one tile

  /// The first slot of the tiles of a group that begins at item `group_begin`. The slots follow from the offsets alone,
  /// so they need no prefix sum. A group has at most (items / mean_items) + ways / group + 1 tiles, and as a group of
  /// samples is no smaller than the number of ways, three spare slots make up for rounding.
  SORTIE_HD constexpr std::uint64_t first_slot(std::uint64_t group_begin, std::uint64_t group) const {
    return is_highest ? group : group_begin / mean_items + 3 * group;
  }

  /// The group whose slots hold `slot`.
  SORTIE_HD std::uint64_t group_of(const ListPass& pass, std::uint64_t slot) const {
    std::uint64_t low = 0;
    std::uint64_t high = pass.group_count() - 1;
    while (low < high) {
      const std::uint64_t middle = high - (high - low) / 2;
      if (first_slot(pass.list_begin(middle, 0), middle) <= slot) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
};

SORTIE_HD constexpr LevelSlots level_slots(const ListTuning& tuning, unsigned level, unsigned highest, unsigned ways) {
  return {list_levels(tuning, ways).unit(level + 1) * level_tuning(tuning, level).group(ways), level == highest};
}

/// The words that hold the limits of all tiles of a level below the highest: for each list of each slot, how many items
/// of the list come before the tile.
constexpr std::uint64_t level_limit_words(const ListPass& pass, std::uint64_t item_count, const LevelSlots& slots) {
  return slots.first_slot(item_count, pass.group_count()) * pass.ways();
}

inline constexpr unsigned kMostLevels = 12;

/// Where the limits of each level lie.
struct ListLimits {
  std::uint64_t* of_level[kMostLevels] = {};
};

/// Takes the scratch of a pass.
inline ListLimits list_limits(ScratchLayout& layout, const ListPass& pass, std::uint64_t item_count,
                              const ListTuning& tuning) {
  const unsigned highest = highest_level(item_count, pass.ways(), tuning);
  ListLimits limits;
  for (unsigned level = 0; level < highest; ++level) {
    const LevelSlots slots = level_slots(tuning, level, highest, pass.ways());
    limits.of_level[level] = layout.take<std::uint64_t>(level_limit_words(pass, item_count, slots));
  }
  return limits;
}

/// Scratch for any pass over as many sequences, or fewer. Two are merged without lists.
inline std::uint64_t list_pass_scratch_bytes(std::uint64_t item_count, std::uint32_t sequence_count) {
  if (sequence_count <= 2) return 0;
  std::uint64_t bytes = 0;
  for (const ListTuning& tuning : {list_tuning(4, 0), list_tuning(8, 0), list_tuning(4, 4), list_tuning(8, 4),
                                   list_tuning(8, 8), kRecordListTuning}) {
    for (unsigned way_bits = 2; way_bits <= kMostWayBits; ++way_bits) {
      ScratchLayout layout;
      list_limits(layout, {nullptr, sequence_count, 0, way_bits}, item_count, tuning);
      bytes = std::max(bytes, layout.size_bytes());
    }
  }
  return bytes;
}

/// How many items of level `level` of a list come before `sample`, which is of the level above. Its rank among the
/// samples of the list is in [low, high]. `after_ties`: whether items that are equal to the sample come before it, as
/// those of earlier lists do. O(log(high - low) + log(step)) comparisons.
template <class Sequence, class Item, class Before>
SORTIE_HD std::uint64_t limit_in_list(const Sequence& list, std::uint64_t item_count, const ListLevels& levels,
                                      unsigned level, std::uint64_t low, std::uint64_t high, const Item& sample,
                                      bool after_ties, const Before& before) {
  const auto rank = [&](const SampledSequence<Sequence>& sequence, std::uint64_t begin, std::uint64_t end) {
    return after_ties ? upper_rank(sequence, begin, end, sample, before)
                      : lower_rank(sequence, begin, end, sample, before);
  };
  const std::uint64_t samples_before = rank({list, levels.unit(level + 1)}, low, high);
  if (samples_before == 0) return 0;
  const std::uint64_t unit = levels.unit(level);
  const std::uint64_t count = sample_count(item_count, unit);
  const std::uint64_t end = samples_before * levels.step(level);
  return rank({list, unit}, end - levels.step(level) + 1, end < count ? end : count);
}

/// Launches a pass. `Order` is a type from merge_order.hpp. The kernels are compiled side by side in merge_keys.cu,
/// merge_pairs.cu and merge_records.cu.
template <class Order>
void merge_list_pass(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                     const ListPass& pass, std::uint64_t item_count, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
