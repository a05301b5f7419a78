// This file is compiled once for each kind of vectors. with_vector_sorts() takes the best kind that the processor has.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "entries/vector_quicksort.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)  // SSSE3 has no such sort, and it uses nothing of AVX3_DL
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

// Clang does not take it for C++.
#if __has_include(<sys/platform/x86.h>) && !defined(__clang__)
#include <sys/platform/x86.h>
#endif

#include "entries/vector_sort.hpp"

#if HWY_MAJOR != 1 || HWY_MINOR != 0 || HWY_PATCH > 4
#error "quicksort() below calls what Highway 1.0.0 to 1.0.4 have inside; adapt it to this version"
#endif

HWY_BEFORE_NAMESPACE();
namespace sortie::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if VQSORT_ENABLED
// Does what hn::Sort() does, but with a seed of its own: that of hn::Sort() comes from the library.
template <class Traits, class Lane>
void quicksort(Lane* lanes, std::size_t lane_count) {
  const hn::SortTag<Lane> d;
  const hn::detail::SharedTraits<Traits> traits;
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
// glibc knows what the processor has. To ask the processor takes some 30 us in a virtual machine, even before main().
#ifdef CPU_FEATURE_ACTIVE
#define SORTIE_HAS_FEATURE(name, builtin_name) CPU_FEATURE_ACTIVE(name)
#else
#define SORTIE_HAS_FEATURE(name, builtin_name) __builtin_cpu_supports(builtin_name)
#endif

[[maybe_unused]] bool has_sse4_vectors() {
  return SORTIE_HAS_FEATURE(SSE4_2, "sse4.2") && SORTIE_HAS_FEATURE(PCLMULQDQ, "pclmul");
}
[[maybe_unused]] bool has_avx2_vectors() {
  return has_sse4_vectors() && SORTIE_HAS_FEATURE(AVX2, "avx2") && SORTIE_HAS_FEATURE(BMI1, "bmi") &&
         SORTIE_HAS_FEATURE(BMI2, "bmi2") && SORTIE_HAS_FEATURE(FMA, "fma");
}
[[maybe_unused]] bool has_avx512_vectors() {
  return has_avx2_vectors() && SORTIE_HAS_FEATURE(AVX512F, "avx512f") && SORTIE_HAS_FEATURE(AVX512VL, "avx512vl") &&
         SORTIE_HAS_FEATURE(AVX512DQ, "avx512dq") && SORTIE_HAS_FEATURE(AVX512BW, "avx512bw");
}

#undef SORTIE_HAS_FEATURE
#endif

// Calls `sort` with the functions for the widest vectors of the processor.
template <class Sort>
void with_vector_sorts(const Sort& sort) {
#if HWY_TARGETS & HWY_AVX3
  if (has_avx512_vectors()) return sort(N_AVX3::VectorSorts());
#endif
#if HWY_TARGETS & HWY_AVX2
  if (has_avx2_vectors()) return sort(N_AVX2::VectorSorts());
#endif
#if HWY_TARGETS & HWY_SSE4
  if (has_sse4_vectors()) return sort(N_SSE4::VectorSorts());
#endif
  sort(HWY_STATIC_DISPATCH(VectorSorts()));
}

}  // namespace

void vector_quicksort(std::uint32_t* numbers, std::size_t count) {
  with_vector_sorts([&](auto sorts) { sorts.sort(numbers, count); });
}

void vector_quicksort(std::uint64_t* numbers, std::size_t count) {
  with_vector_sorts([&](auto sorts) { sorts.sort(numbers, count); });
}

void vector_quicksort_of_halves(std::uint64_t* halves, std::size_t count) {
  with_vector_sorts([&](auto sorts) { sorts.sort_halves(halves, count); });
}

}  // namespace sortie
#endif
