// Index arithmetic of a round that merges sequences two by two: which sequences form pair p, where the tiles of a pair
// begin, and which slot each tile has in the launch. Host and device functions, tested without a GPU.
//
//   sample ranks       every stride-th item of a and of b is a sample; in merged order, with a before b
//                      on ties, the samples are numbered from 0
//   limit of a sample  the split (items of a, items of b) just before it: its own position, and its rank in
//                      the other side
//   tile t             from the limit of sample t * group to that of sample (t + 1) * group
//
// Between neighbouring limits lie at most `stride` items of either side, because there is no sample between. So a tile
// with x samples of a and y of b inside, x + y < group, holds at most (x + 1) + (y + 1) <= group + 1 strides of items,
// whatever the keys are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "base/host_device.hpp"
#include "kernels/common/item_arrays.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/merge.hpp"
#include "kernels/merge/merge_path.hpp"

namespace sortie::kernels {

/// Tile shape of the sample-rank merge, per size of key and value, as data.
struct MergeTuning {
  unsigned threads;                    ///< per block
  unsigned items;                      ///< items of a tile per thread; odd, to spread over the banks of shared memory
  unsigned stride;                     ///< items between samples
  unsigned blocks_per_multiprocessor;  ///< blocks that the compiler must leave registers for

  SORTIE_HD constexpr unsigned tile_capacity() const { return threads * items; }
  /// Samples between two tile limits. A tile with g samples holds at most g + 1 strides.
  SORTIE_HD constexpr unsigned group() const { return tile_capacity() / stride - 1; }
  /// The mean number of items of a tile.
  SORTIE_HD constexpr unsigned tile_items() const { return group() * stride; }
};

/// Each shape was the fastest of a dozen on an H200, merging two halves of 2^28 uniform items; the numbers are
/// Gitems/s (tools/bench/RESULTS-kernels.md). The shapes for keys of 4 bytes were all within 2%; the one chosen is no
/// slower than CUB's merge on Zipf-distributed, few-valued and sorted keys. Shared memory of a block must stay within
/// 48 KB. value_bytes is 0 for keys alone.
SORTIE_HD constexpr MergeTuning merge_tuning(std::size_t key_bytes, std::size_t value_bytes) {
  if (value_bytes == 0) {
    if (key_bytes == 4) return {512, 23, 256, 4};  // 473
    return {256, 17, 64, 4};                       // 242
  }
  if (key_bytes + value_bytes == 8) return {256, 17, 64, 4};   // as much shared memory as the last; not measured
  if (key_bytes + value_bytes == 12) return {256, 15, 64, 3};  // u64 + u32: 162
  return {256, 11, 64, 3};                                     // not measured
}

/// Tuning for pairs whose ties are broken by their records. The comparison takes more registers. Not measured.
inline constexpr MergeTuning kRecordMergeTuning{256, 9, 64, 3};

inline constexpr unsigned kSmallestMergeTile =
    std::min(kRecordMergeTuning.tile_items(), merge_tuning(8, 8).tile_items());

/// Neighbouring sequences a = [a_begin, b_begin) and b = [b_begin, end) of the input. Their merge goes to [a_begin,
/// end) of the output. Either may be empty.
struct MergePair {
  std::uint64_t a_begin;
  std::uint64_t b_begin;
  std::uint64_t end;

  SORTIE_HD constexpr std::uint64_t a_count() const { return b_begin - a_begin; }
  SORTIE_HD constexpr std::uint64_t b_count() const { return end - b_begin; }
};

SORTIE_HD constexpr std::uint64_t merge_pair_count(std::uint32_t sequence_count, unsigned round) {
  const std::uint64_t width = std::uint64_t{2} << round;
  return (sequence_count + width - 1) / width;
}

/// Pair `pair` of round `round`. Each side is a group of 2^round sequences; the last groups may be shorter.
SORTIE_HD inline MergePair merge_pair(const std::uint64_t* offsets, std::uint32_t sequence_count, unsigned round,
                                      std::uint64_t pair) {
  const std::uint64_t first = pair << (round + 1);
  const std::uint64_t middle = first + (std::uint64_t{1} << round);
  const std::uint64_t last = first + (std::uint64_t{2} << round);
  return {offsets[first], offsets[middle < sequence_count ? middle : sequence_count],
          offsets[last < sequence_count ? last : sequence_count]};
}

SORTIE_HD constexpr std::uint64_t sample_count(std::uint64_t item_count, std::uint64_t stride) {
  return (item_count + stride - 1) / stride;
}

/// The number of tiles of a pair.
SORTIE_HD constexpr std::uint64_t merge_tile_count(const MergePair& pair, const MergeTuning& tuning) {
  const std::uint64_t samples =
      sample_count(pair.a_count(), tuning.stride) + sample_count(pair.b_count(), tuning.stride);
  return (samples + tuning.group() - 1) / tuning.group();
}

/// The first slot of the tiles of pair number `pair`, which begins at item `a_begin`. The slots follow from the
/// offsets alone, so they need no prefix sum. Two spare slots per pair make up for rounding.
SORTIE_HD constexpr std::uint64_t merge_slot(std::uint64_t a_begin, std::uint64_t pair, const MergeTuning& tuning) {
  return a_begin / tuning.tile_items() + 2 * pair;
}

SORTIE_HD constexpr std::uint64_t merge_slot_count(std::uint64_t item_count, std::uint64_t pair_count,
                                                   const MergeTuning& tuning) {
  return merge_slot(item_count, pair_count, tuning);
}

/// The pair whose slots hold `slot`.
SORTIE_HD inline std::uint64_t pair_of_slot(const std::uint64_t* offsets, std::uint64_t pair_count, unsigned round,
                                            std::uint64_t slot, const MergeTuning& tuning) {
  std::uint64_t low = 0;
  std::uint64_t high = pair_count - 1;
  while (low < high) {
    const std::uint64_t middle = high - (high - low) / 2;
    if (merge_slot(offsets[middle << (round + 1)], middle, tuning) <= slot) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Numbers of items of both sides.
struct MergeSplit {
  std::uint64_t a;
  std::uint64_t b;
};

/// A view of every stride-th item of a sequence.
template <class Sequence>
struct SampledSequence {
  const Sequence& sequence;
  std::uint64_t stride;

  SORTIE_HD auto operator[](std::uint64_t index) const { return sequence[index * stride]; }
};

/// The limit of sample number `sample` in merged order. `sample` is less than the number of samples of both sides.
/// O(log(samples) + log(stride)) comparisons.
template <class Sequence, class Before>
SORTIE_HD MergeSplit sample_limit(const Sequence& a, std::uint64_t a_count, const Sequence& b, std::uint64_t b_count,
                                  unsigned stride, std::uint64_t sample, const Before& before) {
  const std::uint64_t a_samples = sample_count(a_count, stride);
  const std::uint64_t b_samples = sample_count(b_count, stride);
  const SampledSequence<Sequence> sampled_a{a, stride};
  const SampledSequence<Sequence> sampled_b{b, stride};
  const std::uint64_t i = merge_path<std::uint64_t>(sampled_a, a_samples, sampled_b, b_samples, sample, before);
  const std::uint64_t j = sample - i;
  const std::uint64_t a_position = i * stride;
  const std::uint64_t b_position = j * stride;
  const bool is_of_a = i < a_samples && (j >= b_samples || !before(b[b_position], a[a_position]));
  if (is_of_a) {
    const std::uint64_t low = j == 0 ? 0 : b_position - stride + 1;
    const std::uint64_t high = b_position < b_count ? b_position : b_count;
    return {a_position, lower_rank(b, low, high, a[a_position], before)};
  }
  const std::uint64_t low = i == 0 ? 0 : a_position - stride + 1;
  const std::uint64_t high = a_position < a_count ? a_position : a_count;
  return {upper_rank(a, low, high, b[b_position], before), b_position};
}

/// The part of a pair that one block merges, as positions in the whole arrays. Spare slots hold empty tiles.
struct MergeTile {
  std::uint64_t a_begin;
  std::uint64_t a_end;
  std::uint64_t b_begin;
  std::uint64_t b_end;
  std::uint64_t out_begin;
};

/// Copies between arrays and shared memory take units of 16 bytes where they can. Then an item has the same phase, its
/// position modulo this many items, on both sides: a unit of the smallest item has so many.
inline constexpr unsigned kPhaseItems = 4;

SORTIE_HD constexpr unsigned phase_of(std::uint64_t position) { return static_cast<unsigned>(position % kPhaseItems); }

/// Where the right sides of a round are read: position p of the whole input is keys[p] and values[p].
template <class Key, class Value>
struct RightSides {
  const Key* keys;
  const Value* values;
  unsigned phase_shift = 0;  ///< position p has the phase of p + phase_shift
};

/// What is added to positions so that their phases are those of the second list's addresses, if it begins at position
/// `first_count`. `address` is that of its items of `item_bytes`, of 4 bytes if keys or values have so many.
SORTIE_HD constexpr unsigned right_phase_shift(std::uint64_t first_count, std::uint64_t address,
                                               std::uint64_t item_bytes) {
  return phase_of(address / item_bytes + kPhaseItems - phase_of(first_count));
}

/// Takes the scratch of a merge round, a MergeTile for each slot: enough for any round of any order. Called by
/// merge.cpp, which reports its size, and by the launches.
inline MergeTile* merge_tiles(ScratchLayout& layout, std::uint64_t item_count, std::uint32_t sequence_count) {
  const std::uint64_t spare_slots = 2 * merge_pair_count(sequence_count, 0);
  return layout.take<MergeTile>(item_count / kSmallestMergeTile + spare_slots);
}

/// The same for a merge of two lists.
inline MergeTile* two_list_tiles(ScratchLayout& layout, std::uint64_t item_count) {
  return merge_tiles(layout, item_count, 2);
}

/// Launches round `round`. `Order` is a type from merge_order.hpp. The kernels are compiled side by side in
/// merge_keys.cu, merge_pairs.cu and merge_records.cu.
template <class Order>
void merge_round(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                 const SortedSequences& sequences, unsigned round, void* scratch, cudaStream_t stream);

/// Launches the merge of two lists that may lie apart. The arrays' input is the first one; `pair` begins at 0.
template <class Order>
void merge_two(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
               const RightSides<typename Order::Key, typename Order::Value>& right, const MergePair& pair,
               void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
