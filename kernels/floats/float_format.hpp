// Which bits of a float make it a NaN or a zero. Host and device code, so that it is tested without a GPU.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// Floats of IEEE's form: a sign, an exponent, and a fraction below.
struct FloatFormat {
  unsigned bytes;          ///< 2, 4 or 8
  unsigned fraction_bits;  ///< 10 of halves, 7 of bfloat16, 23 of float, 52 of double
};

/// The values of floats that are read as unsigned integers.
template <class Bits>
struct FloatValues {
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  static constexpr Bits kMagnitude = static_cast<Bits>(~kSign);

  Bits infinity;

  SORTIE_HD constexpr bool is_nan(Bits bits) const { return static_cast<Bits>(bits & kMagnitude) > infinity; }
  SORTIE_HD constexpr bool is_negative_nan(Bits bits) const { return bits > static_cast<Bits>(infinity | kSign); }
  SORTIE_HD static constexpr bool is_zero(Bits bits) { return static_cast<Bits>(bits & kMagnitude) == 0; }

  /// The same bits for all floats of one value. In the totalOrder of IEEE 754 these are in the order of the values, all
  /// NaNs last.
  SORTIE_HD constexpr Bits canonical(Bits bits) const {
    if (is_nan(bits)) return kMagnitude;
    return is_zero(bits) ? Bits{0} : bits;
  }
};

template <class Bits>
SORTIE_HD constexpr FloatValues<Bits> values_of(const FloatFormat& format) {
  return {static_cast<Bits>(FloatValues<Bits>::kMagnitude ^ ((std::uint64_t{1} << format.fraction_bits) - 1))};
}

/// Calls use(Bits{}), the unsigned integer of the keys' size.
template <class Use>
void with_float_bits(const FloatFormat& format, const Use& use) {
  if (format.bytes == 2) return use(std::uint16_t{});
  if (format.bytes == 4) return use(std::uint32_t{});
  use(std::uint64_t{});
}

}  // namespace sortie::kernels
