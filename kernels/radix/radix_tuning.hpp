// What was measured to be fastest: the one table of tile shapes and thresholds of the radix sort, by architecture and
// by size of key and value. tools/bench/tune_radix measures again, and prints rows for this table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// The shape of a pass's tile. Tiles grow until registers spill: the longer a tile's part of a bin, the fewer sectors
/// are written in part.
struct RadixTuning {
  unsigned threads;                    ///< per block of the pass kernel: at least one per bin
  unsigned items;                      ///< items of a tile per thread
  unsigned blocks_per_multiprocessor;  ///< blocks that the compiler must leave registers for

  SORTIE_HD constexpr unsigned tile_items() const { return threads * items; }
};

/// Whether a row was measured, or stands for its like.
enum class TuningSource { kMeasured, kAssumed };

struct RadixTuningRow {
  unsigned architecture;  ///< ten times the compute capability
  std::size_t key_bytes;
  std::size_t value_bytes;        ///< 0: keys alone
  RadixTuning large_tile;         ///< of long sorts
  unsigned log2_large_from;       ///< sorts of 2^n items have it; of fewer, small tiles
  unsigned log2_most_by_network;  ///< up to 2^n keys alone are left to the bitonic sort; 0: none
  TuningSource source;
};

/// Rows of 90 hold for the H100 and the H200: of some five shapes each was the fastest on both, at 2^28 uniform items
/// (tools/bench/RESULTS-kernels.md). 32 or 36 keys of 4 bytes per thread are as fast as 30, but reversed keys then meet
/// in the same banks; with 20 items of 4 + 8 bytes registers spill. Below 2^21 items small tiles, of which more
/// multiprocessors have some, are faster by 2 to 20% at 2^18 and 2^19, and by -3 to 9% at 2^20.
inline constexpr RadixTuningRow kRadixTunings[] = {
    {90, 1, 0, {384, 30, 2}, 21, 0, TuningSource::kAssumed},
    {90, 1, 4, {384, 26, 2}, 21, 0, TuningSource::kAssumed},
    {90, 1, 8, {384, 18, 2}, 21, 0, TuningSource::kAssumed},
    {90, 2, 0, {384, 30, 2}, 21, 0, TuningSource::kAssumed},
    {90, 2, 4, {384, 26, 2}, 21, 0, TuningSource::kAssumed},
    {90, 2, 8, {384, 18, 2}, 21, 0, TuningSource::kAssumed},
    {90, 4, 0, {384, 30, 2}, 21, 17, TuningSource::kMeasured},
    {90, 4, 4, {384, 26, 2}, 21, 0, TuningSource::kMeasured},
    {90, 4, 8, {384, 18, 2}, 21, 0, TuningSource::kMeasured},
    {90, 8, 0, {384, 20, 2}, 21, 18, TuningSource::kMeasured},
    {90, 8, 4, {384, 18, 2}, 21, 0, TuningSource::kMeasured},
    {90, 8, 8, {384, 16, 2}, 21, 0, TuningSource::kMeasured},
};

/// Cards of other architectures have the rows of this one.
inline constexpr unsigned kDefaultArchitecture = 90;

/// The row for an architecture, or that of the default one. Precondition: there is one for the sizes.
constexpr RadixTuningRow radix_tuning_row(unsigned architecture, std::size_t key_bytes, std::size_t value_bytes) {
  const RadixTuningRow* best = nullptr;
  for (const RadixTuningRow& row : kRadixTunings) {
    if (row.key_bytes != key_bytes || row.value_bytes != value_bytes) continue;
    if (row.architecture == architecture || (row.architecture == kDefaultArchitecture && best == nullptr)) best = &row;
  }
  return *best;
}

/// Large tiles fill the shared memory of large GPUs. Small ones are for GPUs whose blocks get only 48 KB, and for short
/// sorts.
enum class RadixShape { kLarge, kSmall };

constexpr RadixTuning radix_tuning(RadixShape shape, std::size_t key_bytes, std::size_t value_bytes,
                                   unsigned architecture = kDefaultArchitecture) {
  if (shape == RadixShape::kSmall) return {256, 8, 2};
  return radix_tuning_row(architecture, key_bytes, value_bytes).large_tile;
}

/// A shape as a type, because nvcc takes no values of class type as template arguments of kernels.
template <RadixShape kShape, std::size_t kKeyBytes, std::size_t kValueBytes>
struct RadixTile {
  static constexpr RadixTuning kTuning = radix_tuning(kShape, kKeyBytes, kValueBytes);
  using Packed = RadixTile<kShape, kKeyBytes / 2, kValueBytes>;  ///< for keys packed into half of their bytes
};

inline constexpr unsigned kSmallestRadixTile = 256 * 8;

}  // namespace sortie::kernels
