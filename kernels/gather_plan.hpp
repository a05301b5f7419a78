// The numbers behind the gathers: how records are divided into units that threads copy.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// The largest power of two, at most 16, that divides all of these.
constexpr unsigned copy_unit_bytes(std::uint64_t record_bytes, std::uint64_t source_address,
                                   std::uint64_t target_address) {
  const std::uint64_t all = record_bytes | source_address | target_address | 16;
  return static_cast<unsigned>(all & (~all + 1));
}

/// Division of numbers up to kLargestDividend by a divisor up to 2^12, by a multiplication.
///   m = floor(2^32 / d) + 1 = (2^32 + e) / d with 0 < e <= d
///   floor(n m / 2^32) = floor(n / d + n e / (d 2^32)), exact while n e / 2^32 < 1, so for n d < 2^32
struct SmallDivisor {
  static constexpr std::uint32_t kLargestDividend = (1u << 20) - 1;
  static constexpr std::uint32_t kLargestDivisor = 1u << 12;

  std::uint32_t divisor;
  std::uint32_t multiplier;

  static constexpr SmallDivisor of(std::uint32_t divisor) {
    return {divisor, static_cast<std::uint32_t>((std::uint64_t{1} << 32) / divisor + (divisor > 1 ? 1 : 0))};
  }

  SORTIE_HD constexpr std::uint32_t quotient(std::uint32_t dividend) const {
    if (divisor == 1) return dividend;
    return static_cast<std::uint32_t>((std::uint64_t{dividend} * multiplier) >> 32);
  }
};

}  // namespace sortie::kernels
