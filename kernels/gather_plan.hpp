// The numbers behind the gathers: how records are divided into units that threads copy.
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

/// Division of numbers up to kLargestDividend by a divisor up to 2^12, by a multiplication.
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

/// The records that one block gathers at once: each has a slot of whole units, room for wherever in its
/// first unit it begins.
struct GatherTile {
  std::uint32_t record_bytes;
  std::uint32_t record_pieces;
  std::uint32_t slot_units;
  std::uint32_t records;
  SmallDivisor by_slot_units;
  SmallDivisor by_record_pieces;

  /// Records whose addresses are multiples of `piece_bytes`; slots of `tile_bytes` at most, or one.
  static constexpr GatherTile of(std::uint32_t record_bytes, unsigned piece_bytes, std::uint32_t tile_bytes) {
    GatherTile tile{};
    tile.record_bytes = record_bytes;
    tile.record_pieces = record_bytes / piece_bytes;
    tile.slot_units = (record_bytes + kGatherUnitBytes - piece_bytes + kGatherUnitBytes - 1) / kGatherUnitBytes;
    const std::uint32_t fitting = tile_bytes / (tile.slot_units * kGatherUnitBytes);
    tile.records = fitting < kMostGatherTileRecords ? fitting : kMostGatherTileRecords;
    if (tile.records > kGatherUnitBytes) tile.records -= tile.records % kGatherUnitBytes;  // output begins aligned
    if (tile.records == 0) tile.records = 1;
    tile.by_slot_units = SmallDivisor::of(tile.slot_units);
    tile.by_record_pieces = SmallDivisor::of(tile.record_pieces);
    return tile;
  }

  constexpr std::uint32_t slots_bytes() const { return records * slot_units * kGatherUnitBytes; }
};

}  // namespace sortie::kernels
