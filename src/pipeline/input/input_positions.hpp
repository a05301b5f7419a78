// Positions that show from which input a record came: each input has its share of all positions, because the lengths of
// those before it may be unknown. Used by merges of inputs, and by sorts whose inputs are sets.
//
//   position   | number of the input | offset in the input |     56 bits
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sortie {

class InputPositions {
 public:
  explicit InputPositions(std::size_t inputs)
      : offset_bits_(kPositionBits - static_cast<unsigned>(std::bit_width(inputs))) {}

  /// The position of the first byte of an input.
  std::uint64_t first_of(std::uint64_t input) const { return input << offset_bits_; }
  /// The input that a position lies in.
  std::uint64_t input_of(std::uint64_t position) const { return position >> offset_bits_; }

 private:
  static constexpr unsigned kPositionBits = 56;

  unsigned offset_bits_;
};

}  // namespace sortie
