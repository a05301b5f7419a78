// Who sorts a segment of so many items, and how the longest ones are cut into tiles. Host and device functions.
//
//   up to 256 items             some threads of a warp, in registers ("short")
//   up to 1024, or 512          a warp with more registers, by a list
//   up to 2048                  a small block, by a list: a radix sort in shared memory; of 4-byte keys alone
//                               up to 4096: in registers
//   up to 8192, or 4096         a large block, by a list
//   beyond                      all blocks together, in tiles, a pass per digit ("giants")
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/host_device.hpp"
#include "base/size.hpp"
#include "kernels/bitonic/bitonic_plan.hpp"
#include "kernels/radix/radix_tuning.hpp"

namespace sortie::kernels {

/// Items [begin, begin + count) of an array.
struct alignas(16) Segment {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// In ascending order of capacity. Few threads of many items exchange least, and 8 items are what the registers of a
/// full multiprocessor hold; multiples of 3 keep the padding of segments longer than 32 below a third.
inline constexpr BitonicTeam kShortTeams[] = {{4, 1, 4}, {8, 1, 4}, {8, 2},  {8, 4},  {8, 6},
                                              {8, 8},    {16, 6},   {16, 8}, {32, 6}, {32, 8}};
inline constexpr unsigned kShortTeamCount = sizeof kShortTeams / sizeof *kShortTeams;
inline constexpr unsigned kShortCapacity = kShortTeams[kShortTeamCount - 1].capacity();
inline constexpr unsigned kShortThreads = 256;

/// A short team's capacity as a constant: device code cannot read the array.
template <unsigned kTeam>
inline constexpr unsigned kShortTeamCapacity = kShortTeams[kTeam].capacity();

template <unsigned... kTeams>
SORTIE_HD constexpr unsigned short_team(std::uint64_t count, std::integer_sequence<unsigned, kTeams...>) {
  return ((count > kShortTeamCapacity<kTeams> ? 1U : 0U) + ...);
}

/// The first of the short teams that holds `count` items; kShortTeamCount if none does.
SORTIE_HD constexpr unsigned short_team(std::uint64_t count) {
  return short_team(count, std::make_integer_sequence<unsigned, kShortTeamCount>());
}

/// Segments that a warp of the first kernel takes: enough of them to fill its teams when they are short, few enough to
/// leave work for every warp when they are long.
constexpr unsigned segments_per_warp(std::uint64_t item_count, std::uint32_t segment_count) {
  constexpr std::uint64_t kWarpItems = 1024;
  unsigned segments = 32;
  while (segments > 8 && item_count / segment_count * segments > kWarpItems) segments /= 2;
  return segments;
}

/// Items a thread of a warp that takes longer segments: as many as its registers hold, almost.
SORTIE_HD constexpr unsigned warp_thread_items(std::size_t item_bytes) { return item_bytes <= 8 ? 32 : 16; }
inline constexpr unsigned kWarpSegmentThreads = 128;

/// Bytes that move in a sort in registers: a key, and the position of its value in the segment.
SORTIE_HD constexpr std::size_t placed_item_bytes(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes + (value_bytes == 0 ? 0 : 4);
}

/// The longest segments that each kind of team holds. Longer ones are giants.
struct SegmentCapacities {
  unsigned warp;
  unsigned small_block;
  unsigned large_block;
};

inline constexpr unsigned kSmallBlockThreads = 256;
inline constexpr unsigned kSmallBlockCapacity = 2048;
inline constexpr unsigned kLargeBlockThreads = 512;

/// Blocks that sort keys of 4 bytes alone in registers, as warps do: of segments of 4000 this took 159 us, of 4096 a
/// radix sort in shared memory 372 (H200, 2^24 items).
inline constexpr unsigned kNetworkBlockThreads = 128;
inline constexpr unsigned kNetworkBlockCapacity = 4096;

SORTIE_HD constexpr bool takes_network_blocks(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 4 && value_bytes == 0;
}

SORTIE_HD constexpr unsigned small_block_capacity(std::size_t key_bytes, std::size_t value_bytes) {
  return takes_network_blocks(key_bytes, value_bytes) ? kNetworkBlockCapacity : kSmallBlockCapacity;
}
SORTIE_HD constexpr unsigned large_block_capacity(std::size_t key_bytes) { return key_bytes == 4 ? 8192 : 4096; }

/// `has_large_blocks`: whether the device has the shared memory for them.
SORTIE_HD constexpr SegmentCapacities segment_capacities(std::size_t key_bytes, std::size_t value_bytes,
                                                         bool has_large_blocks) {
  const unsigned warp = 32 * warp_thread_items(placed_item_bytes(key_bytes, value_bytes));
  const unsigned small_block = small_block_capacity(key_bytes, value_bytes);
  return {warp, small_block, has_large_blocks ? large_block_capacity(key_bytes) : small_block};
}

/// The most segments longer than `capacity` that there can be.
constexpr std::uint64_t longer_segment_limit(std::uint64_t item_count, std::uint64_t capacity) {
  return item_count / (capacity + 1);
}

/// The shape of a giant's tile. As those of a radix sort's passes (radix_tuning.hpp), but for pairs of 8 and 8 bytes:
/// all fit into the 99 KB of shared memory that most GPUs have for a block. Small tiles are for those that have less.
template <bool kIsLarge, std::size_t kKeyBytes, std::size_t kValueBytes>
struct GiantTile {
  static constexpr RadixTuning tuning() {
    if (!kIsLarge) return radix_tuning(RadixShape::kSmall, kKeyBytes, kValueBytes);
    if (kKeyBytes + kValueBytes == 16) return {384, 13, 2};
    return radix_tuning(RadixShape::kLarge, kKeyBytes, kValueBytes);
  }
  static constexpr RadixTuning kTuning = tuning();
  static constexpr unsigned kItems = kTuning.tile_items();
};

SORTIE_HD constexpr std::uint64_t tiles_of_giant(std::uint64_t count, unsigned tile_items) {
  return (count + tile_items - 1) / tile_items;
}

/// A segment in tiles, and how many tiles the giants before it have.
struct GiantSegment {
  Segment segment;
  std::uint64_t first_tile;
};

/// The digits that a giant is sorted by, one per pass, from `first_pass` on.
struct alignas(16) GiantPlan {
  std::uint8_t digits[8];
  std::uint8_t first_pass;
  std::uint8_t passes;
  std::uint8_t below;      ///< the lowest bit that is sorted by if digits that differ are left out; else 0
  std::uint8_t is_failed;  ///< whether all digits must be counted, and the giant sorted by them
};

/// So many leading digits are tried first, if more differ. They mostly tell nearly all keys of a segment apart; the
/// number is even, so that the items are in the primary arrays then.
inline constexpr unsigned kGiantLeadingDigits = 4;
/// The first pass by all digits of giants whose leading digits were not enough: behind the passes of all others.
inline constexpr unsigned kGiantRetryPass = 8;
inline constexpr unsigned kMostGiantPasses = kGiantRetryPass + 8;
/// A thread puts so many items in order that leading digits do not tell apart.
inline constexpr unsigned kMostMendedItems = 16;

/// A plan to sort by the digits of `digits`, lowest first.
SORTIE_HD constexpr GiantPlan giant_plan(unsigned digits, unsigned first_pass) {
  GiantPlan plan{};
  plan.first_pass = static_cast<std::uint8_t>(first_pass);
  for (unsigned digit = 0; digit < 8; ++digit) {
    if ((digits >> digit & 1) != 0) plan.digits[plan.passes++] = static_cast<std::uint8_t>(digit);
  }
  return plan;
}

/// The digits that a plan names, as a set of bits.
SORTIE_HD constexpr unsigned digits_of(const GiantPlan& plan) {
  unsigned digits = 0;
  for (unsigned i = 0; i < plan.passes; ++i) digits |= 1u << plan.digits[i];
  return digits;
}

/// The digits to count if those of `varying` differ in a sample: kGiantLeadingDigits of them, the leading ones first.
SORTIE_HD constexpr unsigned digits_to_count(unsigned varying, unsigned digit_count) {
  unsigned counted = 0;
  unsigned count = 0;
  for (unsigned wanted = 2; wanted-- > 0;) {
    for (unsigned digit = digit_count; digit-- > 0 && count < kGiantLeadingDigits;) {
      if ((counted >> digit & 1) != 0 || (varying >> digit & 1) != wanted) continue;
      counted |= 1u << digit;
      ++count;
    }
  }
  return counted;
}

/// The plan of a giant of which the digits of `counted` were counted, and those of `varying` differ. If digits differ
/// that were not counted, the others come first, provided that they are the leading ones and even in number; if not,
/// the plan has failed.
SORTIE_HD constexpr GiantPlan settled_plan(unsigned counted, unsigned varying, unsigned first_pass) {
  GiantPlan plan = giant_plan(varying & counted, first_pass);
  const unsigned missing = varying & ~counted;
  if (missing == 0) return plan;
  const bool is_leading = plan.passes != 0 && plan.passes % 2 == 0 && missing >> plan.digits[0] == 0;
  if (is_leading) {
    plan.below = static_cast<std::uint8_t>(8 * plan.digits[0]);
  } else {
    plan.passes = 0;
    plan.is_failed = 1;
  }
  return plan;
}

/// A tile of a giant, with all that a pass must know.
struct GiantTileRecord {
  std::uint64_t begin;  ///< in the array
  std::uint32_t count;
  std::uint32_t giant;       ///< number of the giant
  std::uint32_t first_tile;  ///< number of the giant's first tile
  std::uint32_t tile;        ///< number of this tile in the giant
  GiantPlan plan;
};

/// How many giants there are and how many tiles, in one word: so one atomic addition numbers both, and the giants
/// ascend by their first tiles in whichever order they come.
struct GiantTally {
  static constexpr unsigned kTileBits = 40;

  SORTIE_HD static constexpr std::uint64_t of_one(std::uint64_t tiles) { return std::uint64_t{1} << kTileBits | tiles; }
  SORTIE_HD static constexpr unsigned giants(std::uint64_t tally) { return static_cast<unsigned>(tally >> kTileBits); }
  SORTIE_HD static constexpr unsigned tiles(std::uint64_t tally) {
    return static_cast<unsigned>(tally & ((std::uint64_t{1} << kTileBits) - 1));
  }
};

/// What the look-back of a giant's tiles publishes for a bin: a count, whether it includes the tiles before, and the
/// pass that it belongs to, so that words need not be cleared between passes. No giant has 2^32 items.
struct GiantWord {
  static constexpr std::uint64_t kCountMask = 0xffffffff;
  static constexpr unsigned kInclusiveBit = 32;
  static constexpr unsigned kPassBit = 33;

  SORTIE_HD static constexpr std::uint64_t of(unsigned pass, bool is_inclusive, std::uint32_t count) {
    return std::uint64_t{pass + 1} << kPassBit | std::uint64_t{is_inclusive} << kInclusiveBit | count;
  }
  SORTIE_HD static constexpr bool is_published(std::uint64_t word, unsigned pass) {
    return word >> kPassBit == pass + 1;
  }
  SORTIE_HD static constexpr bool is_inclusive(std::uint64_t word) { return (word >> kInclusiveBit & 1) != 0; }
  SORTIE_HD static constexpr std::uint32_t count(std::uint64_t word) {
    return static_cast<std::uint32_t>(word & kCountMask);
  }
};

}  // namespace sortie::kernels
