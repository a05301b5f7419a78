// Codes of two numbers of 16 bits, or four of 8, side by side in a word of 32 bits. What KeyCodec does to one number,
// this does to all lanes at once. Host and device code, so that it is tested without a GPU.
#pragma once

#include <cstdint>

#include <sortie/format.hpp>

#include "base/host_device.hpp"

namespace sortie::kernels {

struct LaneCodec {
  std::uint32_t flip_always = 0;
  std::uint32_t float_signs = 0;  ///< the sign bits of all lanes if they are floats of 16 bits, else 0

  SORTIE_HD constexpr std::uint32_t encode(std::uint32_t numbers) const {
    return numbers ^ flip_by_sign(numbers) ^ flip_always;
  }

  SORTIE_HD constexpr std::uint32_t decode(std::uint32_t codes) const {
    const std::uint32_t signed_as_numbers = codes ^ flip_always;
    return signed_as_numbers ^ flip_by_sign(signed_as_numbers);
  }

 private:
  /// All bits below the sign in each lane whose sign is set. Lanes do not carry: 1 times 0x7fff is the most.
  SORTIE_HD constexpr std::uint32_t flip_by_sign(std::uint32_t lanes) const {
    return ((lanes & float_signs) >> 15) * 0x7fff;
  }
};

/// The codec of numbers of `kind` (kUnsigned, kSigned or kFloat) of 1 or 2 bytes; floats have 2.
constexpr LaneCodec make_lane_codec(FieldKind kind, unsigned bytes, bool descending) {
  const std::uint32_t signs = bytes == 1 ? 0x80808080 : 0x80008000;
  LaneCodec codec;
  if (kind != FieldKind::kUnsigned) codec.flip_always = signs;
  if (kind == FieldKind::kFloat) codec.float_signs = signs;
  if (descending) codec.flip_always = ~codec.flip_always;
  return codec;
}

/// The codec of one number of 1 or 2 bytes, with the functions of KeyCodec.
template <class Bits>
struct ShortCodec {
  static constexpr bool kRecodes = true;

  LaneCodec lanes;

  SORTIE_HD constexpr Bits encode(Bits number) const { return static_cast<Bits>(lanes.encode(number)); }
  SORTIE_HD constexpr Bits decode(Bits code) const { return static_cast<Bits>(lanes.decode(code)); }
};

template <class Bits>
constexpr ShortCodec<Bits> make_short_codec(FieldKind kind, bool descending) {
  static_assert(sizeof(Bits) <= 2);
  return {make_lane_codec(kind, sizeof(Bits), descending)};
}

}  // namespace sortie::kernels
