// Sorts an array of numbers into another: one sample sort pass that deals the encoded numbers out to
// cache-sized buckets, then vector code in each bucket.
#pragma once

#include <cstdint>
#include <span>

#include "record/key_plan.hpp"

namespace sortie {

/// Turns numbers, the one field of an array's elements, into unsigned integers that compare in the requested order, and
/// back.
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

/// `sorted` is as long as `numbers` and does not overlap it. Parallel.
template <class Code>
void sort_numbers(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec);

extern template void sort_numbers(std::span<const std::uint32_t>, std::span<std::uint32_t>,
                                  const ArrayCodec<std::uint32_t>&);
extern template void sort_numbers(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                                  const ArrayCodec<std::uint64_t>&);

}  // namespace sortie
