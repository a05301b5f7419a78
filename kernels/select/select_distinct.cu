#include <type_traits>

#include "kernels/select/distinct_items.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {
namespace {

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

/// Bytes of keys from which on larger tiles are the faster ones.
inline constexpr std::uint64_t kLargeTilesBytes = std::uint64_t{3} << 20;

/// The same of keys of 8 bytes without values, and the largest tiles.
inline constexpr std::uint64_t kLargestTilesBytes = std::uint64_t{1} << 29;

/// Launches in tiles of this shape if the device's blocks have as much shared memory. Returns false otherwise.
template <class Bits, class Value, class Shape, bool kKeepsLast>
bool launch_if_fits(const DistinctCall<Bits>& call, void* scratch, cudaStream_t stream) {
  constexpr std::uint64_t kBytes = DistinctArea<Bits, Value, Shape>::kBytes + sizeof(DistinctCounts<Shape>);
  if (kBytes > shared_bytes_per_block()) return false;
  launch_distinct<Bits, Value, Shape, kKeepsLast>(call, scratch, stream);
  return true;
}

template <class Bits, class Value, bool kKeepsLast>
void launch_chosen(const DistinctCall<Bits>& call, void* scratch, cudaStream_t stream) {
  constexpr unsigned kVectors = kVectorsOf<Bits>;
  using FewShape = DistinctShape<512, kVectors >= 4 ? sizeof(Bits) / 4 : 1, 1>;
  using SmallShape = DistinctShape<256, kVectors, kHasValue<Value> ? 4 : 6>;
  using LargeShape = DistinctShape<512, large_vectors<Bits, Value>(), 2, true>;
  if constexpr (!std::is_same_v<Value, AnyValue>) {
    if (launch_few_distinct<Bits, Value, FewShape, kKeepsLast>(call, stream)) return;
  }
  const std::uint64_t bytes = call.list.end * sizeof(Bits);
  if constexpr (sizeof(Bits) == 8 && !kHasValue<Value>) {
    using LargestShape = DistinctShape<1024, kVectors * 2, 1, true>;
    if (bytes >= kLargestTilesBytes && launch_if_fits<Bits, Value, LargestShape, kKeepsLast>(call, scratch, stream)) {
      return;
    }
  }
  if (bytes >= kLargeTilesBytes && launch_if_fits<Bits, Value, LargeShape, kKeepsLast>(call, scratch, stream)) return;
  launch_distinct<Bits, Value, SmallShape, kKeepsLast>(call, scratch, stream);
}

template <class Bits, class Value>
void launch_chosen(const DistinctCall<Bits>& call, KeptRepeat kept, void* scratch, cudaStream_t stream) {
  if (kept == KeptRepeat::kLast) {
    launch_chosen<Bits, Value, true>(call, scratch, stream);
  } else {
    launch_chosen<Bits, Value, false>(call, scratch, stream);
  }
}

}  // namespace

std::uint64_t select_scratch_bytes(std::uint64_t count) {
  constexpr std::uint64_t kMostBegin = 15;  // items of a byte in front of the first one
  ScratchLayout layout;
  return scan_state(layout, divide_up(count + kMostBegin, kSmallestDistinctTile)).size_bytes;
}

template <class Bits>
void select_distinct(const ListItems<Bits>& items, KeptRepeat kept, const KeptItems<Bits>& out, void* scratch,
                     cudaStream_t stream) {
  if (items.count == 0) {
    check_cuda(cudaMemsetAsync(out.count, 0, sizeof *out.count, stream), "clearing the number of items kept");
    return;
  }
  const ValueCopy copy = ValueCopy::of(out.value_bytes, items.values, nullptr, out.values);
  const DistinctCall<Bits> call{NumberedKeys<Bits>::from(items.keys, items.count), items.values, out, copy, {}};
  // Which of equal keys is kept shows in the values alone.
  if (out.value_bytes == 0) return launch_chosen<Bits, NoValue, false>(call, scratch, stream);
  if constexpr (sizeof(Bits) >= 4) {
    if (copy.bytes == 4 && copy.unit_bytes == 4) return launch_chosen<Bits, std::uint32_t>(call, kept, scratch, stream);
    if (copy.bytes == 8 && copy.unit_bytes == 8) return launch_chosen<Bits, std::uint64_t>(call, kept, scratch, stream);
  }
  launch_chosen<Bits, AnyValue>(call, kept, scratch, stream);
}

#define SORTIE_SELECT_DISTINCT_OF(Bits) \
  template void select_distinct(const ListItems<Bits>&, KeptRepeat, const KeptItems<Bits>&, void*, cudaStream_t);

SORTIE_SELECT_DISTINCT_OF(std::uint8_t)
SORTIE_SELECT_DISTINCT_OF(std::uint16_t)
SORTIE_SELECT_DISTINCT_OF(std::uint32_t)
SORTIE_SELECT_DISTINCT_OF(std::uint64_t)

#undef SORTIE_SELECT_DISTINCT_OF

}  // namespace sortie::kernels
