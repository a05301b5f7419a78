// Index arithmetic of the gathers: how records are divided into units that threads copy.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// The largest power of two, at most 16, that divides all of these.
constexpr unsigned copy_unit_bytes(std::uint64_t record_bytes, std::uint64_t source_address,
                                   std::uint64_t target_address) {
  const std::uint64_t all = record_bytes | source_address | target_address | 16;
  return static_cast<unsigned>(all & (~all + 1));
}

/// Divides numbers up to kLargestDividend by a divisor up to 2^12, with a multiplication.
///   m = floor(2^32 / d) + 1 = (2^32 + e) / d with 0 < e <= d
///   floor(n m / 2^32) = floor(n / d + n e / (d 2^32)), exact while n e / 2^32 < 1, so for n d < 2^32
struct SmallDivisor {
  static constexpr std::uint32_t kLargestDividend = (1u << 20) - 1;
  static constexpr std::uint32_t kLargestDivisor = 1u << 12;

  std::uint32_t divisor;
  std::uint32_t multiplier;

  static constexpr SmallDivisor of(std::uint32_t divisor) {
    return {divisor, static_cast<std::uint32_t>((std::uint64_t{1} << 32) / divisor + (divisor > 1 ? 1 : 0))};
  }

  SORTIE_HD constexpr std::uint32_t quotient(std::uint32_t dividend) const {
    if (divisor == 1) return dividend;
    return static_cast<std::uint32_t>((std::uint64_t{dividend} * multiplier) >> 32);
  }
};

inline constexpr unsigned kGatherUnitBytes = 16;
inline constexpr unsigned kMostGatherTileRecords = 512;

/// The records that one block gathers at once. Each has a slot of whole units that holds it wherever in its first unit
/// it begins.
struct GatherTile {
  std::uint32_t record_bytes;
  std::uint32_t record_pieces;
  std::uint32_t slot_units;
  std::uint32_t records;
  SmallDivisor by_slot_units;
  SmallDivisor by_record_pieces;

  /// A tile of records whose addresses are multiples of `piece_bytes`. Its slots take at most `tile_bytes`, unless a
  /// single one takes more.
  static constexpr GatherTile of(std::uint32_t record_bytes, unsigned piece_bytes, std::uint32_t tile_bytes) {
    GatherTile tile{};
    tile.record_bytes = record_bytes;
    tile.record_pieces = record_bytes / piece_bytes;
    tile.slot_units = (record_bytes + kGatherUnitBytes - piece_bytes + kGatherUnitBytes - 1) / kGatherUnitBytes;
    const std::uint32_t fitting = tile_bytes / (tile.slot_units * kGatherUnitBytes);
    tile.records = fitting < kMostGatherTileRecords ? fitting : kMostGatherTileRecords;
    if (tile.records > kGatherUnitBytes) tile.records -= tile.records % kGatherUnitBytes;  // aligns the output
    if (tile.records == 0) tile.records = 1;
    tile.by_slot_units = SmallDivisor::of(tile.slot_units);
    tile.by_record_pieces = SmallDivisor::of(tile.record_pieces);
    return tile;
  }

  constexpr std::uint32_t slots_bytes() const { return records * slot_units * kGatherUnitBytes; }
};

/// Lines are gathered by tiles of output. Within a tile, batches of lines are gathered, each line in a slot of units.
inline constexpr unsigned kLineTileBytes = 16384;
inline constexpr unsigned kBatchLines = 256;
/// As many as line_slot_unit() needs, with one more on either side: units at the edges of lines are read together with
/// their neighbours.
inline constexpr unsigned kLineSlotUnits = kLineTileBytes / kGatherUnitBytes + 2 * kBatchLines + 2;

/// The first unit of the slot of line number `line` of a batch, whose output begins at byte `position` of the tile. A
/// line of n bytes touches up to n / 16 + 2 units, wherever in the first unit it begins:
///   position' = position + n:  position' / 16 + 2 (line + 1) >= position / 16 + n / 16 + 2 line + 2
SORTIE_HD constexpr std::uint32_t line_slot_unit(std::uint32_t position, std::uint32_t line) {
  return position / kGatherUnitBytes + 2 * line + 1;
}

/// Threads that copy one line when `threads` copy `lines`: a power of two, at least 8.
SORTIE_HD constexpr unsigned lanes_per_line(unsigned lines, unsigned threads) {
  unsigned lanes = 8;
  while (lanes < threads && lanes * lines < 2 * threads) lanes *= 2;
  return lanes;
}

/// Word `index` of a unit of output whose bytes from `from` on belong to a later line.
SORTIE_HD constexpr std::uint32_t spliced_word(std::uint32_t word, std::uint32_t later, unsigned from, unsigned index) {
  if (from <= 4 * index) return later;
  if (from >= 4 * index + 4) return word;
  const std::uint32_t replaced = ~std::uint32_t{0} << (8 * (from - 4 * index));
  return (word & ~replaced) | (later & replaced);
}

}  // namespace sortie::kernels
