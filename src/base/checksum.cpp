#include "base/checksum.hpp"

#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.hpp"

namespace sortie {
namespace {

// The finaliser of MurmurHash3 (Appleby) over a multiple of the golden ratio: a bijection of 64-bit words.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return value ^ (value >> 33);
}

template <class Number>
Checksum sum_numbers(std::span<const std::byte> numbers) {
  // The low words' carries belong to the high word, so that the sum does not depend on how an array is cut.
  unsigned __int128 low = 0;
  std::uint64_t high = 0;
  for (std::size_t at = 0; at < numbers.size(); at += sizeof(Number)) {
    const std::uint64_t value = load_as<Number>(numbers.data() + at);
    low += mix(value + 0x9e3779b97f4a7c15ULL);
    high += mix(value ^ 0xd6e8feb86659fd93ULL);
  }
  return {static_cast<std::uint64_t>(low), high + static_cast<std::uint64_t>(low >> 64)};
}

}  // namespace

Checksum hash_record(std::span<const std::byte> record) {
  const XXH128_hash_t hash = XXH3_128bits(record.data(), record.size());
  return {hash.low64, hash.high64};
}

Checksum checksum_numbers(std::span<const std::byte> numbers, std::size_t number_bytes) {
  return number_bytes == 4 ? sum_numbers<std::uint32_t>(numbers) : sum_numbers<std::uint64_t>(numbers);
}

std::string to_string(const Checksum& checksum) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(checksum.high),
                static_cast<unsigned long long>(checksum.low));
  return text;
}

}  // namespace sortie
