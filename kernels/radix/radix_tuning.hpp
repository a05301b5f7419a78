// What was measured to be fastest: the one table of tile shapes and thresholds of the radix sort, by architecture and
// by size of key and value. tools/bench/tune_radix measures again, and prints rows for this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

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
  unsigned log2_large_from;       ///< sorts of 2^n items have it; of fewer, small or middle tiles
  unsigned log2_most_by_network;  ///< up to 2^n keys alone are left to the bitonic sort; 0: none
  unsigned log2_buckets_from;     ///< from 2^n items on buckets are counted (radix_buckets.cuh); 0: never
  unsigned log2_samples_above;    ///< with more than 2^n items, the sample sort takes over (sample_sort_launch.cuh),
  unsigned log2_samples_most;     ///< and with more than 2^n the radix sort again; 0: never
  TuningSource source;
};

/// Rows of 90 hold for the H100 and the H200. Each shape was the fastest of three to six on an H100 at 2^27 uniform
/// items, or within 0.5% of it, and those of keys of 4 and 8 bytes of some five on an H200 at 2^28
/// (tools/bench/RESULTS-kernels.md). Where the sample sort and the bitonic sort take over was measured on an H200, with
/// uniform items. 32 or 36 keys of 4 bytes per thread are as fast as 30, but reversed keys then meet
/// in the same banks; with 20 items of 4 + 8 bytes registers spill. Keys of 8 and 16 bits alone are counted: their rows
/// serve only GPUs with little shared memory. Values of 16 bytes move with keys of 4 bytes only
/// as radix_sort_long_values.hpp says.
inline constexpr RadixTuningRow kRadixTunings[] = {
    {90, 1, 0, {384, 30, 2}, 21, 0, 0, 0, 0, TuningSource::kAssumed},
    {90, 1, 4, {384, 26, 2}, 21, 0, 0, 0, 0, TuningSource::kMeasured},
    {90, 1, 8, {384, 18, 2}, 21, 0, 0, 0, 0, TuningSource::kMeasured},
    {90, 2, 0, {384, 30, 2}, 21, 0, 0, 0, 0, TuningSource::kAssumed},
    {90, 2, 4, {384, 26, 2}, 21, 0, 0, 0, 0, TuningSource::kMeasured},
    {90, 2, 8, {384, 18, 2}, 21, 0, 0, 0, 0, TuningSource::kMeasured},
    {90, 4, 0, {384, 30, 2}, 21, 14, 0, 14, 17, TuningSource::kMeasured},
    {90, 4, 4, {384, 26, 2}, 21, 0, 27, 13, 18, TuningSource::kMeasured},
    {90, 4, 8, {384, 18, 2}, 21, 0, 26, 13, 18, TuningSource::kMeasured},
    {90, 4, 16, {384, 11, 2}, 20, 0, 26, 13, 18, TuningSource::kMeasured},
    {90, 8, 0, {384, 20, 2}, 21, 13, 0, 13, 19, TuningSource::kMeasured},
    {90, 8, 4, {384, 18, 2}, 21, 0, 0, 13, 19, TuningSource::kMeasured},
    {90, 8, 8, {384, 16, 2}, 21, 0, 0, 13, 19, TuningSource::kMeasured},
};

/// The architectures that have rows. Devices of others have those of the default one, which nobody has measured there.
using TunedArchitectures = std::integer_sequence<unsigned, 90>;
inline constexpr unsigned kDefaultArchitecture = 90;

/// Precondition: the architecture has rows, or is one that none has.
constexpr RadixTuningRow radix_tuning_row(unsigned architecture, std::size_t key_bytes, std::size_t value_bytes) {
  const RadixTuningRow* best = nullptr;
  for (const RadixTuningRow& row : kRadixTunings) {
    if (row.key_bytes != key_bytes || row.value_bytes != value_bytes) continue;
    if (row.architecture == architecture || (row.architecture == kDefaultArchitecture && best == nullptr)) best = &row;
  }
  return *best;
}

/// Large tiles fill the shared memory of large GPUs. Small ones are for GPUs whose blocks get only 48 KB, and for short
/// sorts; middle ones for those in between, from 2^kLog2MiddleFrom items on: the fastest of five shapes on an H200,
/// from 2^18 to 2^20 items of u32, u32 + u32 and u64 + u32.
enum class RadixShape { kLarge, kMiddle, kSmall };
inline constexpr unsigned kLog2MiddleFrom = 18;

constexpr RadixTuning radix_tuning(RadixShape shape, std::size_t key_bytes, std::size_t value_bytes,
                                   unsigned architecture = kDefaultArchitecture) {
  if (shape == RadixShape::kSmall) return {256, 8, 2};
  if (shape == RadixShape::kMiddle) return {384, 12, 2};
  return radix_tuning_row(architecture, key_bytes, value_bytes).large_tile;
}

/// A shape as a type, because nvcc takes no values of class type as template arguments of kernels.
template <RadixShape kShape, std::size_t kKeyBytes, std::size_t kValueBytes,
          unsigned kArchitecture = kDefaultArchitecture>
struct RadixTile {
  static constexpr RadixTuning kTuning = radix_tuning(kShape, kKeyBytes, kValueBytes, kArchitecture);
  static constexpr unsigned kLog2BucketsFrom =
      radix_tuning_row(kArchitecture, kKeyBytes, kValueBytes).log2_buckets_from;
  /// For keys packed into half of their bytes.
  using Packed = RadixTile<kShape, kKeyBytes / 2, kValueBytes, kArchitecture>;
};

inline constexpr unsigned kSmallestRadixTile = 256 * 8;

}  // namespace sortie::kernels
