// Codes weights of the first level in few bytes: in one byte those of the letters that are usual in a locale. The codes
// keep the order of the weights, and no code is a prefix of another.
//
//   | gap 0 | usual weight 0 | gap 1 | usual weight 1 | ... | gap n | weights of three bytes or more, by their first |
//
// The code of a weight in a gap is the byte of the gap and then its own bytes. In a weight of three bytes or more, a
// byte of ours replaces the first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/collation/collating_elements.hpp"
#include "record/key_bytes.hpp"

namespace sortie {

class WeightCode {
 public:
  /// The most weights that can have a byte of their own.
  static constexpr std::size_t kMostUsual = (kKeyBytes - 1 - 32) / 2;
  /// The most bytes of a code.
  static constexpr std::size_t kMostBytes = 6;

  /// `usual`: in any order, repeated or not; those of three bytes or more do not count, nor do those behind the first
  /// kMostUsual.
  explicit WeightCode(const std::vector<Weight>& usual);

  /// Writes the code of a weight; returns where the next goes.
  char* put(Weight weight, char* out) const;

 private:
  std::vector<Weight> usual_;  // ascending
};

}  // namespace sortie
