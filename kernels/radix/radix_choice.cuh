// Which way a radix sort takes: one launch for few items, a sample sort for some more, a launch per digit beyond, with
// tiles as the tuning table has them.
#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/common/launch.hpp"
#include "kernels/radix/radix_cluster_launch.cuh"
#include "kernels/radix/radix_launch.cuh"
#include "kernels/radix/radix_tuning.hpp"
#include "kernels/sample_sort/sample_sort_launch.cuh"

namespace sortie::kernels {

/// Calls use(std::integral_constant<unsigned, A>) for the architecture A whose rows of the tuning table this device
/// has.
template <unsigned... kArchitectures, class Use>
void with_tuned_architecture(std::integer_sequence<unsigned, kArchitectures...>, const Use& use) {
  const unsigned device = device_architecture();
  const auto use_if_same = [&]<unsigned kArchitecture>(std::integral_constant<unsigned, kArchitecture> architecture) {
    if (device == kArchitecture) use(architecture);
    return device == kArchitecture;
  };
  const bool is_done = (use_if_same(std::integral_constant<unsigned, kArchitectures>()) || ...);
  if (!is_done) use(std::integral_constant<unsigned, kDefaultArchitecture>());
}

/// Whether the table has the sample sort for so many items.
constexpr bool takes_sample_sort(const RadixTuningRow& row, std::uint64_t count) {
  return count > std::uint64_t{1} << row.log2_samples_above && count <= std::uint64_t{1} << row.log2_samples_most;
}

/// Sorts by digits, in tiles. Longer sorts have short tiles, so that more multiprocessors have some, until there are
/// enough of the largest tiles that this GPU has the shared memory for.
template <unsigned kArchitecture, class Key, class Value, class Codec>
void sort_in_tiles(const RadixArrays<Key, Value>& arrays, const Key* source, const Codec& codec, std::uint64_t count,
                   BitRange bits, void* scratch, cudaStream_t stream) {
  constexpr std::size_t kValueBytes = kHasValue<Value> ? sizeof(Value) : 0;
  constexpr unsigned kLog2LargeFrom = radix_tuning_row(kArchitecture, sizeof(Key), kValueBytes).log2_large_from;
  using Large = RadixTile<RadixShape::kLarge, sizeof(Key), kValueBytes, kArchitecture>;
  using Middle = RadixTile<RadixShape::kMiddle, sizeof(Key), kValueBytes, kArchitecture>;
  using Small = RadixTile<RadixShape::kSmall, sizeof(Key), kValueBytes, kArchitecture>;
  const unsigned shared_bytes = shared_bytes_per_block();
  if (count >> kLog2LargeFrom != 0 && shared_bytes >= sizeof(RadixPassShared<Key, Value, Large>)) {
    return launch_radix_sort<Large>(arrays, source, codec, count, bits, scratch, stream);
  }
  if constexpr (kLog2MiddleFrom < kLog2LargeFrom) {
    if (count >> kLog2MiddleFrom != 0 && shared_bytes >= sizeof(RadixPassShared<Key, Value, Middle>)) {
      return launch_radix_sort<Middle>(arrays, source, codec, count, bits, scratch, stream);
    }
  }
  launch_radix_sort<Small>(arrays, source, codec, count, bits, scratch, stream);
}

/// Sorts the positions of the keys of `source`. The arrays need hold nothing before. Precondition: so many items are
/// sorted by digits.
template <class Key, class Position, class Codec>
void argsort_in_tiles(const Key* source, const RadixArrays<Key, Position>& arrays, const Codec& codec,
                      std::uint64_t count, void* scratch, cudaStream_t stream) {
  with_tuned_architecture(TunedArchitectures(), [&]<unsigned kArch>(std::integral_constant<unsigned, kArch>) {
    sort_in_tiles<kArch>(arrays, source, codec, count, {0, 8 * sizeof(Key)}, scratch, stream);
  });
}

/// Returns where the result is: of keys of 8 bits, a pass leaves it in the alternate arrays.
template <class Key, class Value, class Codec>
RadixSide radix_sort(const RadixArrays<Key, Value>& arrays, const Codec& codec, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  assert(bits.begin <= bits.end && bits.end <= 8 * sizeof(Key));
  if (count < 2 || bits.begin == bits.end) return RadixSide::kPrimary;
  using ClusterShapes = std::conditional_t<sizeof(Key) == 8, WideShapes, NarrowShapes>;
  bool is_by_digits = false;
  with_tuned_architecture(TunedArchitectures(), [&]<unsigned kArch>(std::integral_constant<unsigned, kArch>) {
    constexpr RadixTuningRow kRow = radix_tuning_row(kArch, sizeof(Key), kHasValue<Value> ? sizeof(Value) : 0);
    if constexpr (kRow.log2_samples_most != 0) {
      static_assert(kRow.log2_samples_above >= 10 && kRow.log2_samples_most <= 19, "what the sample sort takes");
      if (takes_sample_sort(kRow, count) && sort_by_samples(arrays, codec, count, bits, scratch, stream)) return;
    }
    if (sort_in_cluster(ClusterShapes(), arrays, codec, count, bits, stream)) return;
    sort_in_tiles<kArch>(arrays, static_cast<const Key*>(nullptr), codec, count, bits, scratch, stream);
    is_by_digits = true;
  });
  const bool is_odd = is_by_digits && kTakesAllDigits<Key> && radix_digit_count(bits) % 2 != 0;
  return is_odd ? RadixSide::kAlternate : RadixSide::kPrimary;
}

}  // namespace sortie::kernels
