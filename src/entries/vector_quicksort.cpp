// This file is compiled once for each kind of vectors. vector_quicksorts() lists those that the processor has.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "entries/vector_quicksort.cpp"
// SSSE3 has no such sort, and it uses nothing of AVX3_DL. Vectors of SVE have no size that a compiler knows.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/base.h>

// Highway's assertions, which sanitized builds enable, would call its library.
#undef HWY_ASSERT
#undef HWY_DASSERT
#define HWY_ASSERT(condition) static_cast<void>(0)
#define HWY_DASSERT(condition) static_cast<void>(0)

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/traits128-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu_features.hpp"
#include "entries/vector_sort.hpp"

#if HWY_MAJOR != 1 || HWY_MINOR != 0 || HWY_PATCH > 4
#error "quicksort() below calls what Highway 1.0.0 to 1.0.4 have inside; adapt it to this version"
#endif

HWY_BEFORE_NAMESPACE();

#if HWY_TARGET == HWY_AVX3
// CompressKeys() below partitions a vector in registers. To compress it to memory, as Highway does for this size, takes
// AMD's Zen 4 more than a hundred cycles: to sort a million numbers 35 ns for each, where this takes 4.6.
namespace hwy::HWY_NAMESPACE {
template <>
struct CompressIsPartition<std::uint32_t> {
  enum { value = 1 };
};
}  // namespace hwy::HWY_NAMESPACE
#endif

namespace sortie::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if VQSORT_ENABLED
/// For each mask of eight lanes the lanes in the order of a partition: those that are not set, then the others. The
/// number of the first is in the lowest four bits.
constexpr std::array<std::uint32_t, 256> make_lane_orders() {
  std::array<std::uint32_t, 256> orders = {};
  for (unsigned mask = 0; mask < orders.size(); ++mask) {
    unsigned position = 0;
    for (const unsigned side : {0U, 1U}) {
      for (unsigned lane = 0; lane < 8; ++lane) {
        if ((mask >> lane & 1) == side) orders[mask] |= lane << 4 * position++;
      }
    }
  }
  return orders;
}

/// The same for masks of four lanes, each of which is two of the eight.
constexpr std::array<std::uint32_t, 16> make_orders_of_pairs() {
  constexpr std::array<std::uint32_t, 256> kOrders = make_lane_orders();
  std::array<std::uint32_t, 16> orders = {};
  for (unsigned mask = 0; mask < orders.size(); ++mask) {
    const unsigned pairs = (mask & 1) * 3 | (mask >> 1 & 1) * 12 | (mask >> 2 & 1) * 48 | (mask >> 3 & 1) * 192;
    orders[mask] = kOrders[pairs];
  }
  return orders;
}

constexpr std::array<std::uint32_t, 256> kLaneOrders = make_lane_orders();
constexpr std::array<std::uint32_t, 16> kOrdersOfPairs = make_orders_of_pairs();

/// The permutation uses only the last three bits of a lane's index.
template <class V>
HWY_INLINE V put_in_order(V lanes, std::uint32_t order) {
  using Lane = hn::TFromV<V>;
  alignas(64) static constexpr Lane kPositions[] = {0, 4, 8, 12, 16, 20, 24, 28};
  const hn::DFromV<V> d;
  return hn::TableLookupLanes(lanes, hn::IndicesFromVec(d, hn::Shr(hn::Set(d, Lane{order}), hn::Load(d, kPositions))));
}

// Highway's traits, but for how a vector is partitioned. GCC 12 copies the tables of Highway's CompressNot() to the
// stack for each vector, since they are not static: numbers of 64 bits then take four times as long to sort.
template <class Traits>
struct WithOwnPartition : Traits {
  template <class V, class M>
  HWY_INLINE V CompressKeys(V keys, M mask) const {  // NOLINT(readability-identifier-naming): a name of Highway's
    constexpr std::size_t kLanes = sizeof(V) / sizeof(hn::TFromV<V>);
    const hn::DFromV<V> d;
#if HWY_TARGET == HWY_AVX3
    if constexpr (kLanes == 16) {
      const V first = hn::Compress(keys, hn::Not(mask));
      const auto positions_behind = static_cast<__mmask16>(0xffffU << (kLanes - hn::CountTrue(d, mask)));
      return V{_mm512_mask_expand_epi32(first.raw, positions_behind, hn::Compress(keys, mask).raw)};
    }
#endif
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, mask, bits);
    if constexpr (kLanes == 8) {
      return put_in_order(keys, kLaneOrders[bits[0]]);
    } else if constexpr (kLanes == 4 && sizeof(V) == 32) {
      const hn::Repartition<std::uint32_t, hn::DFromV<V>> halves;
      return hn::BitCast(d, put_in_order(hn::BitCast(halves, keys), kOrdersOfPairs[bits[0]]));
    } else {
      return Traits::CompressKeys(keys, mask);
    }
  }
};

// Does what hn::Sort() does, but with a seed of its own: that of hn::Sort() comes from the library.
template <class Traits, class Lane>
void quicksort(Lane* lanes, std::size_t lane_count) {
  const hn::SortTag<Lane> d;
  const hn::detail::SharedTraits<WithOwnPartition<Traits>> traits;
  if (hn::detail::HandleSpecialCases(d, traits, lanes, lane_count)) return;
  HWY_ALIGN Lane work_space[hwy::SortConstants::BufNum<Lane>(HWY_LANES(Lane))] = {};
  hn::detail::Generator random(std::uint64_t{lane_count});
  const std::size_t levels_before_heap_sort = 2 * hwy::CeilLog2(lane_count) + 4;
  hn::detail::Recurse(d, traits, lanes, lanes + lane_count, lane_count, work_space, random, levels_before_heap_sort);
}

template <class Number>
void sort_numbers_in_vectors(Number* numbers, std::size_t count) {
  quicksort<hn::detail::TraitsLane<hn::detail::OrderAscending<Number>>>(numbers, count);
}

void sort_halves_in_vectors(std::uint64_t* halves, std::size_t count) {
  quicksort<hn::detail::Traits128<hn::detail::OrderAscending128>>(halves, 2 * count);
}
#else
template <class Number>
void sort_numbers_in_vectors(Number* numbers, std::size_t count) {
  std::sort(numbers, numbers + count);
}

void sort_halves_in_vectors(std::uint64_t* halves, std::size_t count) {
  struct Halves {
    std::uint64_t low;
    std::uint64_t high;
  };
  auto* const numbers = reinterpret_cast<Halves*>(halves);
  std::sort(numbers, numbers + count,
            [](const Halves& a, const Halves& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; });
}
#endif

}  // namespace

struct VectorSorts {
  static void sort(std::uint32_t* numbers, std::size_t count) { sort_numbers_in_vectors(numbers, count); }
  static void sort(std::uint64_t* numbers, std::size_t count) { sort_numbers_in_vectors(numbers, count); }
  static void sort_halves(std::uint64_t* halves, std::size_t count) { sort_halves_in_vectors(halves, count); }
};

}  // namespace sortie::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sortie {
namespace {

#if HWY_ARCH_X86
[[maybe_unused]] bool has_sse4_vectors() {
  return SORTIE_CPU_HAS(SSE4_2, "sse4.2") && SORTIE_CPU_HAS(PCLMULQDQ, "pclmul");
}
[[maybe_unused]] bool has_avx2_vectors() {
  return has_sse4_vectors() && SORTIE_CPU_HAS(AVX2, "avx2") && SORTIE_CPU_HAS(BMI1, "bmi") &&
         SORTIE_CPU_HAS(BMI2, "bmi2") && SORTIE_CPU_HAS(FMA, "fma");
}
[[maybe_unused]] bool has_avx512_vectors() {
  return has_avx2_vectors() && SORTIE_CPU_HAS(AVX512F, "avx512f") && SORTIE_CPU_HAS(AVX512VL, "avx512vl") &&
         SORTIE_CPU_HAS(AVX512DQ, "avx512dq") && SORTIE_CPU_HAS(AVX512BW, "avx512bw");
}
#endif

struct KindsOfVectors {
  std::array<VectorQuicksorts, 4> sorts;
  std::size_t count = 0;

  template <class Sorts>
  void add(Sorts) {
    sorts[count++] = {[](std::uint32_t* numbers, std::size_t number_count) { Sorts::sort(numbers, number_count); },
                      [](std::uint64_t* numbers, std::size_t number_count) { Sorts::sort(numbers, number_count); },
                      &Sorts::sort_halves};
  }
};

KindsOfVectors find_kinds() {
  KindsOfVectors kinds;
#if HWY_TARGETS & HWY_AVX3
  if (has_avx512_vectors()) kinds.add(N_AVX3::VectorSorts());
#endif
#if HWY_TARGETS & HWY_AVX2
  if (has_avx2_vectors()) kinds.add(N_AVX2::VectorSorts());
#endif
#if HWY_TARGETS & HWY_SSE4
  if (has_sse4_vectors()) kinds.add(N_SSE4::VectorSorts());
#endif
  kinds.add(HWY_STATIC_DISPATCH(VectorSorts()));
  return kinds;
}

}  // namespace

std::span<const VectorQuicksorts> vector_quicksorts() {
  static const KindsOfVectors kinds = find_kinds();
  return std::span(kinds.sorts).first(kinds.count);
}

}  // namespace sortie
#endif
