// Turns numbers into unsigned integers that compare in the requested order, and back.
#pragma once

#include <cstdint>

#include "record/key_plan.hpp"

namespace sortie {

/// The one numeric field that fills the elements of an array.
template <class Code>
class ArrayCodec {
 public:
  explicit ArrayCodec(const KeyPart& part) : kind_(part.kind), flip_(part.descending ? ~Code{0} : Code{0}) {}

  Code encode(Code bits) const { return static_cast<Code>(encode_number(kind_, bits, sizeof(Code))) ^ flip_; }
  Code decode(Code code) const { return static_cast<Code>(decode_number(kind_, code ^ flip_, sizeof(Code))); }

 private:
  FieldKind kind_;
  Code flip_;
};

}  // namespace sortie
