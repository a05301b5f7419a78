// Codes that let sorts of unsigned keys order numbers of any type in either direction; entry points of sorts and merges
// use them, so that kernels know unsigned keys only. A code takes two masks, so cheap that a sort makes codes as it
// loads and numbers as it stores. The order is that of record/key_plan.hpp, with floats in totalOrder.
// Descending order complements the codes, which leaves equal numbers in their order. Host and device share this
// definition.
#pragma once

#include <cstdint>
#include <type_traits>

#include <sortie/format.hpp>

#include "base/host_device.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// The field kind of a number type.
template <class Number>
inline constexpr FieldKind kKindOf = std::is_floating_point_v<Number> ? FieldKind::kFloat
                                     : std::is_signed_v<Number>       ? FieldKind::kSigned
                                                                      : FieldKind::kUnsigned;

/// The unsigned integer that holds the bits of a number, and its code.
template <class Number>
using CodeOf = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;

/// Turns a number's bits, as an unsigned integer of its size, into its code and back.
template <class Bits>
struct KeyCodec {
  static constexpr bool kRecodes = true;

  Bits flip_always = 0;
  Bits flip_if_negative = 0;  ///< never includes the sign bit, so that the number's sign can be read from the code

  SORTIE_HD constexpr Bits encode(Bits number) const { return number ^ flip_by_sign(number) ^ flip_always; }

  SORTIE_HD constexpr Bits decode(Bits code) const {
    const Bits signed_as_number = code ^ flip_always;
    return signed_as_number ^ flip_by_sign(signed_as_number);
  }

 private:
  SORTIE_HD constexpr Bits flip_by_sign(Bits bits) const {
    return (Bits{0} - (bits >> (8 * sizeof(Bits) - 1))) & flip_if_negative;
  }
};

/// Stands in for a KeyCodec when keys are their own codes: unsigned and ascending. Costs nothing.
struct PlainKeys {
  static constexpr bool kRecodes = false;

  template <class Bits>
  SORTIE_HD static constexpr Bits encode(Bits number) {
    return number;
  }
  template <class Bits>
  SORTIE_HD static constexpr Bits decode(Bits code) {
    return code;
  }
};

/// The codec of numbers of `kind` (kUnsigned, kSigned or kFloat) that are as wide as Bits.
template <class Bits>
SORTIE_HD constexpr KeyCodec<Bits> make_key_codec(FieldKind kind, bool descending) {
  static_assert(std::is_same_v<Bits, decltype(Bits{} + Bits{})> && std::is_unsigned_v<Bits>, "32 or 64 bits");
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  KeyCodec<Bits> codec;
  if (kind != FieldKind::kUnsigned) codec.flip_always = kSign;
  if (kind == FieldKind::kFloat) codec.flip_if_negative = ~kSign;
  if (descending) codec.flip_always = ~codec.flip_always;
  return codec;
}

/// Keys in memory, read as their codes.
template <class Key, class Codec>
struct CodedKeys {
  const Key* keys;
  Codec codec;

  template <class Index>
  SORTIE_HD constexpr Key operator[](Index i) const {
    return codec.encode(keys[i]);
  }
};

/// The keys' bits as unsigned integers.
template <SortKey Key>
CodeOf<Key>* as_codes(Key* keys) {
  return reinterpret_cast<CodeOf<Key>*>(keys);
}

template <SortKey Key>
KeyCodec<CodeOf<Key>> codec_of(SortOrder order) {
  return make_key_codec<CodeOf<Key>>(kKindOf<Key>, order == SortOrder::kDescending);
}

/// Calls use(codec). The codec is PlainKeys for unsigned keys in ascending order.
template <SortKey Key, class Use>
void with_codec(SortOrder order, const Use& use) {
  if constexpr (std::is_unsigned_v<Key>) {
    if (order == SortOrder::kAscending) return use(PlainKeys{});
  }
  use(codec_of<Key>(order));
}

}  // namespace sortie::kernels
