// The codes of keys of any type in sorts of rows, and for ranks in sorted arrays. One codec that knows its type when it
// runs: keys are coded once when they are loaded, and once when they are stored. Host and device code, so that it is
// tested without a GPU.
#pragma once

#include <cstdint>

#include <sortie/format.hpp>

#include "base/host_device.hpp"
#include "kernels/number_codec.hpp"

namespace sortie::kernels {

/// The order of keys of 1 to 8 bytes.
struct RowOrder {
  NumberOrder number;
  unsigned fraction_bits = 0;  ///< of floats in the order of their values; 0: numbers, or floats in totalOrder
};

/// Makes codes of keys, which are read as unsigned integers with zeros in front. Of floats by value either all of one
/// value have one code, or NaNs with a sign follow those without: a rotation of the codes of totalOrder.
///
///   totalOrder   -NaN  -inf ... -0 +0 ... +inf +NaN
///   rotated            -inf ... -0 +0 ... +inf +NaN -NaN
template <class Code>
struct RowCodec {
  Code mask;         ///< the bits of a key
  Code sign;         ///< the sign bit of a key
  Code flip_always;  ///< as those of KeyCodec
  Code flip_if_negative;
  Code rotation;  ///< what is added to codes
  Code infinity;  ///< of floats of which all of one value have one code; of other keys the mask

  /// Whether keys that are not the same bits have this key's code.
  SORTIE_HD constexpr bool is_shared(Code key) const {
    return infinity != mask && (is_nan(key) || (key & magnitude()) == 0);
  }

  SORTIE_HD constexpr Code encode(Code key) const {
    if (is_shared(key)) key = is_nan(key) ? magnitude() : Code{0};
    return static_cast<Code>(((key ^ flip_by_sign(key) ^ flip_always) + rotation) & mask);
  }

  /// The key of this code; if it is shared, one of those that have it.
  SORTIE_HD constexpr Code decode(Code code) const {
    const Code signed_as_key = ((code - rotation) & mask) ^ flip_always;
    return signed_as_key ^ flip_by_sign(signed_as_key);
  }

 private:
  SORTIE_HD constexpr Code magnitude() const { return mask ^ sign; }
  SORTIE_HD constexpr bool is_nan(Code key) const { return (key & magnitude()) > infinity; }
  SORTIE_HD constexpr Code flip_by_sign(Code key) const { return (key & sign) != 0 ? flip_if_negative : Code{0}; }
};

/// `is_stable`: whether keys of one value must have one code.
template <class Code>
constexpr RowCodec<Code> make_row_codec(const RowOrder& order, bool is_stable) {
  const NumberOrder& number = order.number;
  RowCodec<Code> codec{};
  codec.mask = static_cast<Code>(~Code{0} >> (8 * (sizeof(Code) - number.bytes)));
  codec.sign = codec.mask ^ (codec.mask >> 1);
  if (number.kind != FieldKind::kUnsigned) codec.flip_always = codec.sign;
  if (number.kind == FieldKind::kFloat) codec.flip_if_negative = codec.mask ^ codec.sign;
  if (number.descending) codec.flip_always ^= codec.mask;
  codec.infinity = codec.mask;
  if (order.fraction_bits == 0) return codec;
  const Code nans = static_cast<Code>((Code{1} << order.fraction_bits) - 1);  // of one sign
  if (is_stable) {
    codec.infinity = codec.mask ^ codec.sign ^ nans;
  } else {
    codec.rotation = number.descending ? nans : static_cast<Code>(Code{0} - nans);
  }
  return codec;
}

}  // namespace sortie::kernels
