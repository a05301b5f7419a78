// Index arithmetic of a radix sort: digits of a key, portions of a pass, the sample, scratch. Host and device share
// these definitions; none needs a GPU. A pass is launched in portions of at most kPortionTiles tiles, so that status
// words and counts stay small however long the input is. Portions of a pass follow each other: each leaves the bins'
// next free positions for the next one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/radix/byte_packing.hpp"
#include "kernels/radix/radix_bucket_plan.hpp"
#include "kernels/radix/radix_tuning.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::kernels {

/// Long sorts nearly always need this many passes: 2^28 uniform keys take four. An empty launch of a further pass took
/// 20 us of 8 ms with one block per tile, and 3 us with persistent blocks; those make a pass some 6% slower.
inline constexpr unsigned kUsualPasses = 4;

/// Shape of the kernel that reads all keys for the histograms: one block fills a multiprocessor.
inline constexpr unsigned kHistogramThreads = 1024;
inline constexpr unsigned kHistogramColumns = 16;  ///< when it counts eight digits; twice as many for four

/// Shape of the kernel that reads the sorted keys for disorder that the passes left.
inline constexpr unsigned kRepairBlocks = 5;  ///< per multiprocessor

/// Shape of the kernels that sample the keys, and of those that copy the result back.
inline constexpr unsigned kRadixStreamThreads = 512;
inline constexpr unsigned kRadixStreamBlocks = 4;  ///< per multiprocessor

inline constexpr unsigned kDigitBits = 8;
inline constexpr unsigned kRadixBins = 1u << kDigitBits;
inline constexpr unsigned kMaxDigits = 64 / kDigitBits;
inline constexpr std::uint64_t kPortionTiles = 32768;

/// Short keys are sorted by all their digits, whether these vary or not. So the host knows where the result is, and few
/// items need no look at what varies.
template <class Key>
inline constexpr bool kTakesAllDigits = sizeof(Key) < 4;

/// One digit of a key.
struct RadixDigit {
  unsigned shift = 0;
  unsigned mask = 0;

  template <class Key>
  SORTIE_HD unsigned of(Key key) const {
    return static_cast<unsigned>(key >> shift) & mask;
  }
};

/// Digit `index` of the bits; 0 is the lowest. The highest digit may have fewer than kDigitBits.
SORTIE_HD constexpr RadixDigit radix_digit(BitRange bits, unsigned index) {
  const unsigned begin = bits.begin + index * kDigitBits;
  const unsigned width = bits.end - begin < kDigitBits ? bits.end - begin : kDigitBits;
  return {begin, (1u << width) - 1};
}

SORTIE_HD constexpr unsigned radix_digit_count(BitRange bits) {
  return (bits.end - bits.begin + kDigitBits - 1) / kDigitBits;
}

/// The bits of a key by which it is ordered, as a number.
template <class Key>
SORTIE_HD constexpr Key ordered_bits(BitRange bits, Key key) {
  return static_cast<Key>(static_cast<Key>(key << (8 * sizeof(Key) - bits.end)) >>
                          (8 * sizeof(Key) - bits.end + bits.begin));
}

/// Sorts of at least this many items may leave out their lowest digits. This takes further launches, needed or not,
/// which would cost shorter sorts more than the passes saved. Of four digits a sort could leave out one at most, which
/// does not pay for the repair.
inline constexpr std::uint64_t kShortenFrom = std::uint64_t{1} << 21;
inline constexpr std::uint64_t kMaxSampleKeys = std::uint64_t{1} << 18;

/// Shorter sorts take so few digits whether these vary or not: to look at keys, and to copy home what an odd number of
/// passes left elsewhere, would take them as long as a pass.
inline constexpr unsigned kFewDigits = 2;

template <class Key>
SORTIE_HD constexpr bool takes_all_digits(std::uint64_t count, BitRange bits) {
  return kTakesAllDigits<Key> || (count < kShortenFrom && radix_digit_count(bits) <= kFewDigits);
}

constexpr bool takes_sample(std::uint64_t count, BitRange bits) {
  return count >= kShortenFrom && radix_digit_count(bits) > kUsualPasses;
}

/// The number of keys that are sampled to find how many digits matter: some 16 sqrt(count), a power of two. So there
/// are 128 pairs among them for each pair that one key of the input makes with the others.
constexpr std::uint64_t radix_sample_keys(std::uint64_t count) {
  if (count < kShortenFrom) return 0;
  std::uint64_t keys = 1;
  while (keys < kMaxSampleKeys && 4 * keys * keys <= 256 * count) keys *= 2;
  return keys;
}

/// The finaliser of SplitMix64.
SORTIE_HD constexpr std::uint64_t scattered(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// The position in the input of the sample's key `i`.
SORTIE_HD constexpr std::uint64_t radix_sample_position(std::uint64_t i, std::uint64_t count) {
  return scattered(i + 1) % count;
}

/// The mean number of other items that an item may agree with in the sorted digits without being equal to it. Above it
/// the repair costs more than the pass that it saves.
inline constexpr double kMaxCollisionsPerItem = 0.3;

/// The number of agreeing pairs seen in the sample if the input is at kMaxCollisionsPerItem. Only some two thirds of
/// the sample's agreeing pairs are seen, since a slot of the table holds one key at a time.
constexpr std::uint32_t radix_sample_limit(std::uint64_t count) {
  const double pairs =
      0.5 * static_cast<double>(radix_sample_keys(count)) * static_cast<double>(radix_sample_keys(count));
  return static_cast<std::uint32_t>(pairs / static_cast<double>(count) * kMaxCollisionsPerItem * 0.65);
}

/// The sort by the digits that matter, and the sort by all digits in case the first was not enough.
enum RadixPhase : unsigned { kLeadingDigits = 0, kAllDigits = 1 };

struct RadixPasses {
  std::uint32_t digits[kMaxDigits];  ///< the digit that pass i sorts by
  std::uint32_t count;
};

/// The results of sample and histograms, and the plan of the passes. In device memory, all zero at first.
struct RadixPlan {
  std::uint64_t bins[kMaxDigits][kRadixBins];   ///< counts; then where each bin begins in the output
  std::uint64_t next_bins[2][kRadixBins];       ///< the bins' beginnings for later portions of the current pass
  std::uint32_t sample_collisions[kMaxDigits];  ///< pairs that agree in this digit and all above it, and differ below
  std::uint64_t sample_ones;                    ///< bits that are one in some key of the sample
  std::uint64_t sample_zeros;
  std::uint64_t ones;  ///< bits that are one in some key of the input
  std::uint64_t zeros;
  std::uint32_t unsorted;       ///< not zero if some key is less than the one before it
  std::uint32_t failed;         ///< not zero if the repair found more disorder than it can mend
  RadixPasses passes[2];        ///< one per phase
  BytePacking packing;          ///< for 64-bit keys in the first phase; if it does not fit, keys are moved whole
  std::uint32_t finding_count;  ///< descents that one thread cannot mend: see radix_repair.cuh
  std::uint32_t group_count;
  std::uint32_t long_group_count;
  std::uint32_t sorts_buckets;   ///< not zero if the last digits are left to a sort of buckets
  std::uint32_t blocks_counted;  ///< blocks of the first read that are done; where the sort takes no sample
};

/// What the blocks of one launch of a pass share; all zero at its start and at its end.
struct RadixLaunchState {
  std::uint32_t tile_counter;
  std::uint32_t blocks_done;
  std::uint32_t padding[62];
};

/// Neighbouring items [begin, end) that agree in all sorted digits and are not in order.
struct RadixGroup {
  std::uint64_t begin;
  std::uint64_t end;
};

inline constexpr std::uint64_t kMaxRadixGroups = std::uint64_t{1} << 17;

/// Where the repair keeps its findings.
struct RadixGroups {
  std::uint64_t* findings;     ///< positions of descents in groups that one thread cannot mend
  RadixGroup* list;            ///< groups that a block sorts at once, from the front; longer ones, from the back
  unsigned long long* claims;  ///< hash table of the groups in the list
  std::uint64_t claim_slots;   ///< a power of two
  std::uint32_t capacity;      ///< capacity of `findings` and of `list`

  SORTIE_HD RadixGroup* long_group(std::uint32_t index) const { return &list[capacity - 1 - index]; }
};

struct RadixScratch {
  RadixPlan* plan;
  RadixLaunchState* launch_state;
  std::uint32_t* status;  ///< kRadixBins words per tile of a portion
  std::uint64_t status_words;
  std::uint64_t cleared_bytes;  ///< from the plan to the end of the status words: zero at first
  BucketCounts buckets;         ///< of sorts of kBucketRoomFrom items or more
  RadixGroups groups;
  std::uint64_t* sample_table;  ///< radix_sample_keys() per digit, in the same memory as `status`
  std::uint64_t size_bytes;
};

/// The number of groups that may be found among `count` items.
constexpr std::uint32_t radix_group_capacity(std::uint64_t count) {
  if (count < kShortenFrom) return 0;
  return static_cast<std::uint32_t>(count / 128 < kMaxRadixGroups ? count / 128 : kMaxRadixGroups);
}

/// Slots of the hash table for `capacity` groups. At least half of them stay empty.
constexpr std::uint64_t radix_claim_slots(std::uint32_t capacity) {
  return capacity == 0 ? 0 : std::bit_ceil(2 * std::uint64_t{capacity});
}

inline RadixScratch radix_scratch(void* area, std::uint64_t count) {
  const std::uint64_t tiles = divide_up(count, kSmallestRadixTile);
  ScratchLayout layout(area);
  RadixScratch scratch{};
  scratch.plan = layout.take<RadixPlan>(1);
  scratch.launch_state = layout.take<RadixLaunchState>(1);
  // Longer sorts have it too, since scratch for more items is to serve for fewer.
  const bool has_buckets = count >= kBucketRoomFrom;
  if (has_buckets) scratch.buckets.counts = take_value_counts(layout, sizeof(std::uint16_t));
  scratch.status_words = (tiles < kPortionTiles ? tiles : kPortionTiles) * kRadixBins;
  scratch.status = layout.take<std::uint32_t>(scratch.status_words);
  scratch.sample_table = reinterpret_cast<std::uint64_t*>(scratch.status);
  scratch.cleared_bytes = layout.size_bytes();
  RadixGroups& groups = scratch.groups;
  groups.capacity = radix_group_capacity(count);
  groups.claim_slots = radix_claim_slots(groups.capacity);
  groups.findings = layout.take<std::uint64_t>(groups.capacity);
  groups.list = layout.take<RadixGroup>(groups.capacity);
  groups.claims = layout.take<unsigned long long>(groups.claim_slots);
  scratch.buckets.begins = layout.take<std::uint32_t>(has_buckets ? kBuckets + 1 : 0);
  scratch.buckets.log2_tile_buckets = log2_tile_buckets(count);
  scratch.size_bytes = layout.size_bytes();
  return scratch;
}

/// The digits of `bits` in which some key has a one and some key a zero, as a set of bits.
SORTIE_HD constexpr unsigned varying_digits(BitRange bits, std::uint64_t ones, std::uint64_t zeros) {
  unsigned set = 0;
  for (unsigned i = 0; i < radix_digit_count(bits); ++i) {
    if (radix_digit(bits, i).of(ones & zeros) != 0) set |= 1u << i;
  }
  return set;
}

/// The position of the lowest bit of a set; 0 if it is empty.
SORTIE_HD constexpr unsigned lowest_bit(unsigned set) {
  unsigned bit = 0;
  while (set >> bit != 0 && (set >> bit & 1) == 0) ++bit;
  return bit;
}

/// The `most` highest of a set of bits, or all of them.
SORTIE_HD constexpr unsigned highest_bits(unsigned set, unsigned most) {
  unsigned count = 0;
  for (unsigned rest = set; rest != 0; rest &= rest - 1) ++count;
  for (; count > most; --count) set &= set - 1;
  return set;
}

}  // namespace sortie::kernels
