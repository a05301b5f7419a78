// Times the radix sort in several shapes of tiles, and prints the fastest one as a row of
// kernels/radix/radix_tuning.hpp.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/kernels/bench_run.hpp"
#include "bench/kernels/key_fill.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_launch.cuh"
#include "kernels/radix/radix_tuning.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::bench {

/// A shape that is tried. `Packed`: the tile of keys packed into half of their bytes, as the table has it.
template <unsigned kThreads, unsigned kItems, unsigned kBlocks>
struct Shape {
  static constexpr kernels::RadixTuning kTuning{kThreads, kItems, kBlocks};

  template <class Key, std::size_t kValueBytes>
  struct Tile {
    static constexpr kernels::RadixTuning kTuning = Shape::kTuning;
    static constexpr unsigned kLog2BucketsFrom = 0;
    using Packed = kernels::RadixTile<kernels::RadixShape::kLarge, sizeof(Key) / 2, kValueBytes>;
  };
};

template <class... AllShapes>
struct Shapes {};

/// Arrays of uniform keys, sorted again and again.
template <class Key, class Value>
class ShapeTimes {
 public:
  static constexpr std::size_t kValueBytes = kernels::kHasValue<Value> ? sizeof(Value) : 0;

  ShapeTimes(const BenchRun& run, std::uint64_t most)
      : run_(run),
        keys_(most),
        alternate_(most),
        values_(kValueBytes == 0 ? 0 : most),
        alternate_values_(kValueBytes == 0 ? 0 : most),
        scratch_(kernels::radix_sort_scratch_bytes(most)) {}

  /// Milliseconds of a sort of 2^log2_count items in tiles of this type.
  template <class Tile>
  double of_tile(unsigned log2_count) const {
    return time(log2_count, [](const auto& arrays, std::uint64_t count, void* scratch, cudaStream_t s) {
      kernels::launch_radix_sort<Tile>(arrays, static_cast<const Key*>(nullptr), kernels::PlainKeys{}, count,
                                       {0, 8 * sizeof(Key)}, scratch, s);
    });
  }

  template <class Sort>
  double time(unsigned log2_count, const Sort& sort) const {
    const std::uint64_t count = std::uint64_t{1} << log2_count;
    const kernels::RadixArrays<Key, Value> arrays{keys_.data(), alternate_.data(), values_.data(),
                                                  alternate_values_.data()};
    return run_.milliseconds_per_call(
        1, [&](unsigned, cudaStream_t s) { fill_keys(KeyDistribution::kUniform, keys_.data(), count, s); },
        [&](unsigned, cudaStream_t s) { sort(arrays, count, scratch_.data(), s); });
  }

 private:
  const BenchRun& run_;
  Array<Key> keys_;
  Array<Key> alternate_;
  Array<Value> values_;
  Array<Value> alternate_values_;
  DeviceBuffer scratch_;
};

inline constexpr unsigned kShapesAtLog2 = 27;  ///< where shapes are compared, without buckets
inline constexpr unsigned kSmallestLargeLog2 = 17;
inline constexpr unsigned kLargestMiddleLog2 = 23;

/// The number of items, as a power of two, from which on the large tile is never slower than the middle one.
template <class Tile, class Key, class Value>
unsigned log2_large_from(const ShapeTimes<Key, Value>& times) {
  using Middle = kernels::RadixTile<kernels::RadixShape::kMiddle, sizeof(Key), ShapeTimes<Key, Value>::kValueBytes>;
  unsigned from = kLargestMiddleLog2 + 1;
  while (from > kSmallestLargeLog2) {
    const double middle = times.template of_tile<Middle>(from - 1);
    const double large = times.template of_tile<Tile>(from - 1);
    std::printf("    // 2^%u items: middle tiles %.4f ms, large ones %.4f\n", from - 1, middle, large);
    if (large > middle) break;
    --from;
  }
  return from;
}

/// Prints the time of each shape as a comment, then the row of the fastest one.
template <class Key, class Value, class... AllShapes>
void print_row(const BenchRun& run, unsigned architecture, Shapes<AllShapes...>) {
  using Times = ShapeTimes<Key, Value>;
  const Times times(run, std::uint64_t{1} << kShapesAtLog2);
  kernels::RadixTuning best{};
  double best_milliseconds = 0;
  unsigned from = 0;
  const auto try_shape = [&]<class One>(One) {
    using Tile = typename One::template Tile<Key, Times::kValueBytes>;
    const double milliseconds = times.template of_tile<Tile>(kShapesAtLog2);
    std::printf("    // %zu + %zu bytes, {%u, %u, %u}: %.3f ms\n", sizeof(Key), Times::kValueBytes,
                One::kTuning.threads, One::kTuning.items, One::kTuning.blocks_per_multiprocessor, milliseconds);
    if (best_milliseconds != 0 && milliseconds >= best_milliseconds) return;
    best_milliseconds = milliseconds;
    best = One::kTuning;
  };
  (try_shape(AllShapes()), ...);
  const auto find_threshold = [&]<class One>(One) {
    const auto& tuning = One::kTuning;
    if (tuning.threads != best.threads || tuning.items != best.items) return;
    from = log2_large_from<typename One::template Tile<Key, Times::kValueBytes>>(times);
  };
  (find_threshold(AllShapes()), ...);
  const kernels::RadixTuningRow row = kernels::radix_tuning_row(architecture, sizeof(Key), Times::kValueBytes);
  std::printf("    {%u, %zu, %zu, {%u, %u, %u}, %u, %u, %u, %u, %u, TuningSource::kMeasured},\n", architecture,
              sizeof(Key), Times::kValueBytes, best.threads, best.items, best.blocks_per_multiprocessor, from,
              row.log2_most_by_network, row.log2_buckets_from, row.log2_samples_above, row.log2_samples_most);
  std::fflush(stdout);
}

/// One file each, which compile side by side.
void print_short_rows(const BenchRun& run, unsigned architecture);
void print_narrow_rows(const BenchRun& run, unsigned architecture);
void print_wide_rows(const BenchRun& run, unsigned architecture);

}  // namespace sortie::bench
