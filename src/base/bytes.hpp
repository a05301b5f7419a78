// Reading and writing integers in bytes of any alignment, on either side of the bus; sizes of memory pages.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/host_device.hpp"

namespace sortie {

static_assert(std::endian::native == std::endian::little, "Sortie runs on little-endian machines");

SORTIE_HD inline std::uint64_t byte_swap(std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  const auto low = static_cast<std::uint32_t>(value);
  const auto high = static_cast<std::uint32_t>(value >> 32);
  return (static_cast<std::uint64_t>(__byte_perm(low, 0, 0x0123)) << 32) | __byte_perm(high, 0, 0x0123);
#else
  return __builtin_bswap64(value);
#endif
}

/// `count` bytes (at most 8) as a little-endian integer; reads nothing beyond them.
SORTIE_HD inline std::uint64_t load_little(const std::byte* source, std::size_t count) {
#if !defined(__CUDA_ARCH__)
  if (count == 8) {
    std::uint64_t value;
    std::memcpy(&value, source, 8);
    return value;
  }
#endif
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= static_cast<std::uint64_t>(source[i]) << (8 * i);
  return value;
}

/// `count` bytes (at most 8) as a big-endian integer, left-justified: missing bytes count as zero.
SORTIE_HD inline std::uint64_t load_big_padded(const std::byte* source, std::size_t count) {
  return byte_swap(load_little(source, count));
}

template <class T>
T load_as(const void* source) {
  T value;
  std::memcpy(&value, source, sizeof value);
  return value;
}

template <class T>
void store_as(void* target, T value) {
  std::memcpy(target, &value, sizeof value);
}

/// Sizes of memory pages on the machines that Sortie is built for.
inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kHugePageBytes = 2 << 20;

}  // namespace sortie
