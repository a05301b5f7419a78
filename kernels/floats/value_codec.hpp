// The codec of floats by value, for kernels that order keys and do not have to give their bits back: all floats of one
// value have one code. Host and device code, so that it is tested without a GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include <sortie/format.hpp>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/floats/float_format.hpp"

namespace sortie::kernels {

template <class Bits>
struct ValueCodec {
  std::conditional_t<sizeof(Bits) <= 2, ShortCodec<Bits>, KeyCodec<Bits>> codec;
  FloatValues<Bits> values;

  SORTIE_HD constexpr Bits encode(Bits number) const { return codec.encode(values.canonical(number)); }
  /// The canonical bits of the value.
  SORTIE_HD constexpr Bits decode(Bits code) const { return codec.decode(code); }
};

template <class Bits>
constexpr ValueCodec<Bits> make_value_codec(const FloatFormat& format, bool descending) {
  if constexpr (sizeof(Bits) <= 2) {
    return {make_short_codec<Bits>(FieldKind::kFloat, descending), values_of<Bits>(format)};
  } else {
    return {make_key_codec<Bits>(FieldKind::kFloat, descending), values_of<Bits>(format)};
  }
}

}  // namespace sortie::kernels
