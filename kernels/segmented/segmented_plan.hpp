// Index arithmetic of the segmented sort: which threads sort a segment of a given length, and how the longest segments
// are dealt out. Host and device functions.
//
//   up to 256 items        part of a warp or a whole one, in registers ("narrow")
//   up to 1024 or 512      a warp with more registers, from a list ("wide")
//   up to 4096 or 2048     a block of 128 threads, from a list
//   beyond                 all blocks together, tiles of kBitonicTile items in global memory ("giants")
#pragma once

#include <cstdint>
#include <utility>

#include "base/host_device.hpp"
#include "base/size.hpp"
#include "kernels/bitonic/bitonic_plan.hpp"

namespace sortie::kernels {

/// Items [begin, begin + count) of an array.
struct alignas(16) Segment {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// Teams in ascending order of capacity. Few threads with many items exchange least, and the registers of a full
/// multiprocessor hold 8 items per thread. Multiples of 3 keep the padding of segments longer than 32 below a third.
inline constexpr BitonicTeam kNarrowTeams[] = {{4, 1, 4}, {8, 1, 4}, {8, 2},  {8, 4},  {8, 6},
                                               {8, 8},    {16, 6},   {16, 8}, {32, 6}, {32, 8}};
inline constexpr unsigned kNarrowTeamCount = sizeof kNarrowTeams / sizeof *kNarrowTeams;
inline constexpr unsigned kNarrowCapacity = kNarrowTeams[kNarrowTeamCount - 1].capacity();
inline constexpr unsigned kNarrowThreads = 256;

/// Threads per block of the wide kernel. A whole block is a team too.
inline constexpr unsigned kWideThreads = 128;

/// Items per thread of the wide kernel: almost as many as its registers hold. On an H200, 2^24 items in segments of
/// 1000: with so few blocks that nothing spilled, it took 155 us instead of 131 (u32), and 416 instead of 378 (u64).
SORTIE_HD constexpr unsigned wide_thread_items(unsigned item_bytes) { return item_bytes <= 8 ? 32 : 16; }
SORTIE_HD constexpr unsigned wide_warp_capacity(unsigned item_bytes) { return 32 * wide_thread_items(item_bytes); }
SORTIE_HD constexpr unsigned wide_block_capacity(unsigned item_bytes) {
  return kWideThreads * wide_thread_items(item_bytes);
}
inline constexpr unsigned kWidestItemBytes = 16;

/// A narrow team's capacity as a constant, because device code cannot read the array.
template <unsigned kTeam>
inline constexpr unsigned kNarrowTeamCapacity = kNarrowTeams[kTeam].capacity();

template <unsigned... kTeams>
SORTIE_HD constexpr unsigned narrow_team(std::uint64_t count, std::integer_sequence<unsigned, kTeams...>) {
  return ((count > kNarrowTeamCapacity<kTeams> ? 1U : 0U) + ...);
}

/// The first narrow team that holds `count` items; kNarrowTeamCount if none does.
SORTIE_HD constexpr unsigned narrow_team(std::uint64_t count) {
  return narrow_team(count, std::make_integer_sequence<unsigned, kNarrowTeamCount>());
}

/// Segments that a warp of the narrow kernel takes. There are enough of them to fill its teams when they are short,
/// and few enough to leave work for every warp when they are long.
constexpr unsigned segments_per_warp(std::uint64_t item_count, std::uint64_t segment_count) {
  constexpr std::uint64_t kWarpItems = 1024;
  unsigned segments = 32;
  while (segments > 8 && item_count / segment_count * segments > kWarpItems) segments /= 2;
  return segments;
}

/// Upper bound on the number of segments longer than `capacity`.
constexpr std::uint64_t longer_segment_limit(std::uint64_t item_count, std::uint64_t segment_count,
                                             std::uint64_t capacity) {
  const std::uint64_t limit = item_count / (capacity + 1);
  return limit < segment_count ? limit : segment_count;
}

/// A segment that is sorted by tiles, and the number of tiles of the giants before it.
struct GiantSegment {
  Segment segment;
  std::uint64_t first_tile;

  SORTIE_HD constexpr std::uint64_t tile_count() const { return (segment.count + kBitonicTile - 1) / kBitonicTile; }
};

/// The number of giants and the number of their tiles, in one word. So one atomic addition numbers both, and the
/// giants' first tiles ascend in whatever order the giants come.
struct GiantTally {
  static constexpr unsigned kTileBits = 40;

  SORTIE_HD static constexpr std::uint64_t of_one(std::uint64_t tiles) { return std::uint64_t{1} << kTileBits | tiles; }
  SORTIE_HD static constexpr std::uint64_t giants(std::uint64_t tally) { return tally >> kTileBits; }
  SORTIE_HD static constexpr std::uint64_t tiles(std::uint64_t tally) {
    return tally & ((std::uint64_t{1} << kTileBits) - 1);
  }
};

/// The giant that has tile number `tile`. There must be one.
SORTIE_HD constexpr std::uint64_t giant_of_tile(const GiantSegment* giants, std::uint64_t giant_count,
                                                std::uint64_t tile) {
  std::uint64_t low = 0;
  std::uint64_t high = giant_count;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (giants[middle].first_tile <= tile ? low : high) = middle;
  }
  return low;
}

}  // namespace sortie::kernels
