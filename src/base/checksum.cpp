#include "base/checksum.hpp"

#include <algorithm>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.hpp"
#include "base/cpu_features.hpp"

namespace sortie {
namespace {

/// Bytes that one call of sum_of() adds up: a multiple of every number's size, and fewer than 2^32 numbers.
constexpr std::size_t kPieceBytes = std::size_t{1} << 30;

// The finaliser of MurmurHash3 (Appleby) over a multiple of the golden ratio: a bijection of 64-bit words.
[[gnu::always_inline]] inline std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return value ^ (value >> 33);
}

// Adds up the low words in halves, which fewer than 2^32 numbers cannot overflow: so 64-bit additions can be
// vectorised, and the carries are known at the end. They are added to the high word, so that the sum does not depend on
// how an array is cut.
template <class Number>
[[gnu::always_inline]] inline Checksum sum_of(const std::byte* numbers, std::size_t count) {
  std::uint64_t low_halves = 0;
  std::uint64_t high_halves = 0;
  std::uint64_t high = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t value = load_as<Number>(numbers + i * sizeof(Number));
    const std::uint64_t mixed = mix(value + 0x9e3779b97f4a7c15ULL);
    low_halves += mixed & 0xffffffff;
    high_halves += mixed >> 32;
    high += mix(value ^ 0xd6e8feb86659fd93ULL);
  }
  const unsigned __int128 low = (static_cast<unsigned __int128>(high_halves) << 32) + low_halves;
  return {static_cast<std::uint64_t>(low), high + static_cast<std::uint64_t>(low >> 64)};
}

Checksum sum_in_baseline(const std::byte* numbers, std::size_t count, std::size_t number_bytes) {
  return number_bytes == 4 ? sum_of<std::uint32_t>(numbers, count) : sum_of<std::uint64_t>(numbers, count);
}

#if defined(__x86_64__)
// The same loops with vectors of 64-bit products: 8.8 GB/s of 4-byte numbers a core, where the baseline
// reaches 2.2 (AMD EPYC, GCC 12).
__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))) Checksum sum_in_vectors(const std::byte* numbers,
                                                                                      std::size_t count,
                                                                                      std::size_t number_bytes) {
  return number_bytes == 4 ? sum_of<std::uint32_t>(numbers, count) : sum_of<std::uint64_t>(numbers, count);
}

bool has_vectors() {
  return SORTIE_CPU_HAS(AVX512F, "avx512f") && SORTIE_CPU_HAS(AVX512DQ, "avx512dq") &&
         SORTIE_CPU_HAS(AVX512VL, "avx512vl") && SORTIE_CPU_HAS(AVX512BW, "avx512bw");
}

Checksum sum_numbers(const std::byte* numbers, std::size_t count, std::size_t number_bytes) {
  return has_vectors() ? sum_in_vectors(numbers, count, number_bytes) : sum_in_baseline(numbers, count, number_bytes);
}
#else
Checksum sum_numbers(const std::byte* numbers, std::size_t count, std::size_t number_bytes) {
  return sum_in_baseline(numbers, count, number_bytes);
}
#endif

}  // namespace

Checksum hash_record(std::span<const std::byte> record) {
  const XXH128_hash_t hash = XXH3_128bits(record.data(), record.size());
  return {hash.low64, hash.high64};
}

Checksum checksum_numbers(std::span<const std::byte> numbers, std::size_t number_bytes) {
  Checksum sum;
  while (!numbers.empty()) {
    const std::span<const std::byte> piece = numbers.first(std::min(kPieceBytes, numbers.size()));
    const std::size_t count = piece.size() / number_bytes;
    sum += sum_numbers(piece.data(), count, number_bytes);
    numbers = numbers.subspan(piece.size());
  }
  return sum;
}

std::string to_string(const Checksum& checksum) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(checksum.high),
                static_cast<unsigned long long>(checksum.low));
  return text;
}

}  // namespace sortie
