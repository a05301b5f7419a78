// The launch of a selection of distinct items, in tiles of the shape that is fastest for their number and their sizes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/select/distinct_items.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

/// Vectors of 16 bytes that a thread reads, at most 4: items of 1 and 2 bytes take a register each.
template <class Bits>
inline constexpr unsigned kVectorsOf = sizeof(Bits) == 1   ? 1
                                       : sizeof(Bits) == 2 ? 2
                                                           : 4;

/// Vectors of a large tile: keys and values of a thread have to fit in some 36 registers, keys alone in 32.
template <class Bits, class Value>
constexpr unsigned large_vectors() {
  if constexpr (sizeof(Bits) < 4 || std::is_same_v<Value, AnyValue>) {
    return kVectorsOf<Bits>;
  } else if constexpr (kHasValue<Value>) {
    return 36 / (4 + 4 * sizeof(Value) / sizeof(Bits));
  } else {
    return 8;
  }
}

inline constexpr std::uint64_t kSmallestDistinctTile = 256 * 4 * 2;

/// Bytes of items from which on larger tiles are the faster ones: fewer do not make a tile for each multiprocessor.
inline constexpr std::uint64_t kLargeTilesBytes = std::uint64_t{6} << 20;

/// Bytes of keys from which on, without values, the largest tiles of keys of 8 bytes are the faster ones.
inline constexpr std::uint64_t kLargestTilesBytes = std::uint64_t{1} << 29;

/// Launches in tiles of this shape if the device's blocks have as much shared memory. Returns false otherwise.
template <class Bits, class Value, class Shape, bool kKeepsLast, class Same>
bool launch_if_fits(const DistinctCall<Bits, Same>& call, void* scratch, cudaStream_t stream) {
  constexpr std::uint64_t kBytes = DistinctArea<Bits, Value, Shape>::kBytes + sizeof(DistinctCounts<Shape>);
  if (kBytes > shared_bytes_per_block()) return false;
  launch_distinct<Bits, Value, Shape, kKeepsLast>(call, scratch, stream);
  return true;
}

template <class Bits, class Value, bool kKeepsLast, class Same>
void launch_chosen(const DistinctCall<Bits, Same>& call, void* scratch, cudaStream_t stream) {
  constexpr unsigned kVectors = kVectorsOf<Bits>;
  using FewShape = DistinctShape<512, kVectors >= 4 ? sizeof(Bits) / 4 : 1, 1>;
  using SmallShape = DistinctShape<256, kVectors, kHasValue<Value> ? 4 : 6>;
  using LargeShape = DistinctShape<512, large_vectors<Bits, Value>(), 2, true>;
  if constexpr (!std::is_same_v<Value, AnyValue>) {
    if (launch_few_distinct<Bits, Value, FewShape, kKeepsLast>(call, stream)) return;
  }
  using LargeArea = DistinctArea<Bits, Value, LargeShape>;
  const std::uint64_t bytes = call.list.end * (LargeArea::kBytes / LargeArea::kTile);
  if constexpr (sizeof(Bits) == 8 && !kHasValue<Value>) {
    using LargestShape = DistinctShape<1024, kVectors * 2, 1, true>;
    if (bytes >= kLargestTilesBytes && launch_if_fits<Bits, Value, LargestShape, kKeepsLast>(call, scratch, stream)) {
      return;
    }
  }
  if (bytes >= kLargeTilesBytes && launch_if_fits<Bits, Value, LargeShape, kKeepsLast>(call, scratch, stream)) return;
  launch_distinct<Bits, Value, SmallShape, kKeepsLast>(call, scratch, stream);
}

template <class Bits, class Value, class Same>
void launch_chosen(const DistinctCall<Bits, Same>& call, KeptRepeat kept, void* scratch, cudaStream_t stream) {
  if (kept == KeptRepeat::kLast) {
    launch_chosen<Bits, Value, true>(call, scratch, stream);
  } else {
    launch_chosen<Bits, Value, false>(call, scratch, stream);
  }
}

/// Launches the kernels that keep one item of each row of keys that are the same.
template <class Bits, class Same>
void launch_distinct_items(const ListItems<Bits>& items, KeptRepeat kept, const KeptItems<Bits>& out, const Same& same,
                           void* scratch, cudaStream_t stream) {
  if (items.count == 0) {
    check_cuda(cudaMemsetAsync(out.count, 0, sizeof *out.count, stream), "clearing the number of items kept");
    return;
  }
  const ValueCopy copy = ValueCopy::of(out.value_bytes, items.values, nullptr, out.values);
  const DistinctCall<Bits, Same> call{
      NumberedKeys<Bits>::from(items.keys, items.count), items.values, out, copy, same, {}};
  if (out.value_bytes == 0) {
    // Which of equal bits is kept shows in the values alone.
    if constexpr (std::is_same_v<Same, SameBits>) return launch_chosen<Bits, NoValue, false>(call, scratch, stream);
    return launch_chosen<Bits, NoValue>(call, kept, scratch, stream);
  }
  if constexpr (sizeof(Bits) >= 4) {
    if (copy.bytes == 4 && copy.unit_bytes == 4) return launch_chosen<Bits, std::uint32_t>(call, kept, scratch, stream);
    if (copy.bytes == 8 && copy.unit_bytes == 8) return launch_chosen<Bits, std::uint64_t>(call, kept, scratch, stream);
  }
  launch_chosen<Bits, AnyValue>(call, kept, scratch, stream);
}

}  // namespace sortie::kernels
