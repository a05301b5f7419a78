// Codecs of floats by value for sorts of keys alone: codes of totalOrder, rotated so that negative NaNs follow the
// positive ones. Keys come back bit for bit, and nothing else is to be done. Host and device code, so that it is tested
// without a GPU.
//
//   totalOrder   -NaN  -inf ... -0 +0 ... +inf +NaN
//   rotated            -inf ... -0 +0 ... +inf +NaN -NaN
#pragma once

#include <cstdint>

#include <sortie/format.hpp>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/floats/float_format.hpp"

namespace sortie::kernels {

/// What is added to the codes of totalOrder: there are as many NaNs of one sign as fractions that are not zero.
constexpr std::uint64_t code_rotation(unsigned fraction_bits, bool descending) {
  const std::uint64_t nans = (std::uint64_t{1} << fraction_bits) - 1;
  return descending ? nans : std::uint64_t{0} - nans;
}

/// The codec of keys of 4 and 8 bytes.
template <class Bits>
struct RotatedCodec {
  static constexpr bool kRecodes = true;

  KeyCodec<Bits> codec;
  Bits rotation;

  SORTIE_HD constexpr Bits encode(Bits number) const { return codec.encode(number) + rotation; }
  SORTIE_HD constexpr Bits decode(Bits code) const { return codec.decode(code - rotation); }
};

template <class Bits>
constexpr RotatedCodec<Bits> make_rotated_codec(const FloatFormat& format, bool descending) {
  return {make_key_codec<Bits>(FieldKind::kFloat, descending),
          static_cast<Bits>(code_rotation(format.fraction_bits, descending))};
}

/// The same for two keys of 2 bytes in a word.
struct RotatedLanes {
  LaneCodec lanes;
  std::uint32_t rotation;  ///< in both lanes
  std::uint32_t back;

  SORTIE_HD constexpr std::uint32_t encode(std::uint32_t numbers) const {
    return sums(lanes.encode(numbers), rotation);
  }
  SORTIE_HD constexpr std::uint32_t decode(std::uint32_t codes) const { return lanes.decode(sums(codes, back)); }

 private:
  /// The sum in each lane: its highest bits are added without a carry.
  SORTIE_HD static constexpr std::uint32_t sums(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kHighest = 0x80008000;
    return ((a & ~kHighest) + (b & ~kHighest)) ^ ((a ^ b) & kHighest);
  }
};

constexpr RotatedLanes make_rotated_lanes(const FloatFormat& format, bool descending) {
  const auto rotation = static_cast<std::uint16_t>(code_rotation(format.fraction_bits, descending));
  const auto back = static_cast<std::uint16_t>(0U - rotation);
  return {make_lane_codec(FieldKind::kFloat, 2, descending), rotation * 0x10001U, back * 0x10001U};
}

}  // namespace sortie::kernels
