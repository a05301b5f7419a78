// Weights in one byte each, those of ASCII characters; any other weight takes the byte of the gap that it falls into
// and then its own bytes. Order is kept. Levels of collation keys that differ from text to text are written so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/collation/collation_weight.hpp"
#include "record/key_bytes.hpp"

namespace sortie {

class WeightCode {
 public:
  /// The most weights that can have a byte of their own.
  static constexpr std::size_t kMostWeights = (kKeyBytes - 2) / 2;

  /// For weights in any order, repeated or not; at most kMostWeights different ones.
  explicit WeightCode(std::vector<Weight> weights = {});

  /// What may follow the last weight of a level: less than any weight's code.
  static constexpr char kEnd = static_cast<char>(key_byte(0));

  /// The byte of any weight: its own, or that of its gap.
  std::uint8_t byte_of(Weight weight) const {
    const std::size_t place = short_place(weight);
    return place < kShortWeights ? short_weights_[place] : search(weight);
  }

  /// The byte of the next greater weight that this was made for, from that of one of them.
  static constexpr std::uint8_t next_own_byte(std::uint8_t byte) { return key_byte(key_rank(byte) + 2); }

  /// Whether `byte` is that of a gap.
  bool is_gap(std::uint8_t byte) const { return is_gap_[byte]; }

  /// Writes any weight; returns where the next goes.
  char* put(Weight weight, char* out) const {
    const std::uint8_t byte = byte_of(weight);
    *out++ = static_cast<char>(byte);
    return is_gap_[byte] ? put_weight(weight, out) : out;
  }

 private:
  static constexpr std::size_t kShortWeights = 128 + 32 * 64;  // of one byte, of two

  /// Of a weight of one or two bytes, its place among them all; else at least kShortWeights.
  static constexpr std::size_t short_place(Weight weight) {
    const std::size_t first = weight >> 56;
    const std::size_t second = weight >> 48 & 0xFF;
    if (first < 0x80) {
      return first;
    }
    return first < 0xC0 || first >= 0xE0 || (second & 0xC0) != 0x80 ? kShortWeights
                                                                    : 128 + ((first & 31) << 6 | (second & 63));
  }

  std::uint8_t search(Weight weight) const;

  std::vector<Weight> weights_;  // ascending
  std::array<std::uint8_t, kShortWeights> short_weights_;
  std::array<bool, 256> is_gap_{};
};

}  // namespace sortie
