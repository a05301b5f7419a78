// The codes of an array's numbers: unsigned integers whose order is the one that is asked for. Used wherever the CPU
// engine sorts bare numbers.
#pragma once

#include <span>
#include <type_traits>

#include "record/key_plan.hpp"

namespace sortie {

/// The numbers in an array of bytes, which are aligned for them.
template <class Number, class Element>
std::span<Number> numbers_in(std::span<Element> array) {
  return {reinterpret_cast<Number*>(array.data()), array.size_bytes() / sizeof(Number)};
}

/// Turns numbers, the one field of an array's elements, into unsigned integers that compare in the requested order, and
/// back: as encode_number() does, but without branches, which random signs make slow.
template <class Code>
class ArrayCodec {
 public:
  explicit ArrayCodec(const KeyPart& part)
      : changed_(static_cast<Code>(encode_number(part.kind, 0, sizeof(Code)))),
        changed_if_negative_(static_cast<Code>(encode_number(part.kind, kAllBits, sizeof(Code)) ^ kAllBits ^ changed_)),
        flip_(part.descending ? kAllBits : Code{0}) {}

  /// Calls `use(encode)` with a function that does what encode() does, and less if the sign of a number does not
  /// matter.
  template <class Use>
  auto with_encoding(const Use& use) const {
    const Code always = changed_ ^ flip_;
    if (changed_if_negative_ == 0) return use([always](Code bits) { return bits ^ always; });
    return use([*this](Code bits) { return encode(bits); });
  }

  /// The same for decode().
  template <class Use>
  auto with_decoding(const Use& use) const {
    const Code always = changed_ ^ flip_;
    if (changed_if_negative_ == 0) return use([always](Code code) { return code ^ always; });
    return use([*this](Code code) { return decode(code); });
  }

  /// Whether the codes are the numbers themselves.
  bool is_identity() const { return (changed_ | changed_if_negative_ | flip_) == 0; }

  Code encode(Code bits) const {
    return static_cast<Code>(bits ^ changed_ ^ (changed_if_negative_ & spread_sign(bits)) ^ flip_);
  }
  Code decode(Code code) const {
    const auto ascending = static_cast<Code>(code ^ flip_);
    return static_cast<Code>(ascending ^ changed_ ^ (changed_if_negative_ & ~spread_sign(ascending)));
  }

 private:
  static constexpr Code kAllBits = static_cast<Code>(~Code{0});

  /// All bits as the first.
  static Code spread_sign(Code bits) {
    return static_cast<Code>(static_cast<std::make_signed_t<Code>>(bits) >> (8 * sizeof(Code) - 1));
  }

  Code changed_;              // bits that differ from those of the number
  Code changed_if_negative_;  // and further ones
  Code flip_;
};

}  // namespace sortie
