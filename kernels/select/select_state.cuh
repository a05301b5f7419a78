// What a radix select knows while it goes on, in device memory, and which items it still looks at.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/common/overlapping_launch.cuh"

namespace sortie::kernels {

inline constexpr unsigned kSelectDigitBits = 11;
inline constexpr unsigned kSelectBins = 1U << kSelectDigitBits;
inline constexpr unsigned kMostSelectDigits = 6;  ///< of a key of 64 bits

template <class Bits>
inline constexpr unsigned kSelectDigitCount = (8 * sizeof(Bits) + kSelectDigitBits - 1) / kSelectDigitBits;

/// How far a code is shifted so that its first `digits` digits are what is left. The last digit may be shorter.
template <class Bits>
__host__ __device__ constexpr unsigned select_shift(unsigned digits) {
  constexpr unsigned kBits = 8 * sizeof(Bits);
  return digits * kSelectDigitBits < kBits ? kBits - digits * kSelectDigitBits : 0;
}

/// What the first digits of the last selected item's code are. Items whose code begins with less are all selected.
struct SelectedDigits {
  std::uint64_t prefix;    ///< the digits, as a number
  std::uint64_t rank;      ///< how many items are selected of those that begin with them
  std::uint64_t agreeing;  ///< how many items begin with them
  unsigned shift;          ///< select_shift() of these digits

  /// Whether all that begin with these digits are selected: further digits need not be known.
  __device__ bool is_settled() const { return rank == agreeing; }
  /// Items that are selected, or may be.
  __device__ std::uint64_t candidates(std::uint64_t selected_count) const { return selected_count - rank + agreeing; }
};

/// Where there is a sample, candidates are moved together before the first digit is known; else after one digit, or
/// after two, if they are few. From then on only they are read. After the last digit that would come too late.
template <class Bits>
inline constexpr unsigned kMostCompactions = kSelectDigitCount<Bits> > 2 ? 2 : kSelectDigitCount<Bits> - 1;

/// Candidates, in the order of the input.
template <class Bits, class Position>
struct Candidates {
  Bits* codes;
  Position* positions;
  std::uint64_t capacity;  ///< 0 if none are ever moved
  std::uint64_t* sampled;  ///< how many the sample's digits leave; 0 without a sample
};

/// The items of a selection, and what is known of them after each digit.
template <class Bits, class Codec, class Position>
struct Selection {
  CodedKeys<Bits, Codec> keys;
  std::uint64_t count;
  std::uint64_t selected_count;
  Candidates<Bits, Position> candidates;
  SelectedDigits* known;  ///< [d]: after d digits; [0]: what the sample says of the first digit

  /// How many candidates were moved when `digits` digits are known; 0 if the items of the input are to be read.
  __device__ std::uint64_t candidate_count(unsigned digits) const {
    if (candidates.capacity == 0) return 0;
    const std::uint64_t sampled = *candidates.sampled;
    if (sampled >= selected_count && sampled <= candidates.capacity) return sampled;
    for (unsigned d = 1; d <= digits; ++d) {
      if (d > kMostCompactions<Bits>) break;
      const std::uint64_t left = known[d].candidates(selected_count);
      if (!known[d].is_settled() && left <= candidates.capacity) return left;
    }
    return 0;
  }
};

/// The items that a kernel reads: those of the input, or the candidates.
template <class Bits, class Codec, class Position>
class SelectSource {
 public:
  using Items = Selection<Bits, Codec, Position>;

  /// `candidate_count`: what Selection::candidate_count() says.
  __device__ SelectSource(const Items& selection, std::uint64_t candidate_count)
      : selection_(selection),
        is_compacted_(candidate_count != 0),
        bits_(is_compacted_ ? selection.candidates.codes : selection.keys.keys),
        count_(is_compacted_ ? candidate_count : selection.count),
        is_aligned_(reinterpret_cast<std::uintptr_t>(bits_) % 16 == 0) {}

  __device__ std::uint64_t count() const { return count_; }

  __device__ Position position(std::uint64_t i) const {
    return is_compacted_ ? selection_.candidates.positions[i] : static_cast<Position>(i);
  }

  /// Loads the bits of items [first, first + kItems), as far as there are some, and returns how many there are. `first`
  /// is a multiple of kItems.
  template <unsigned kItems>
  __device__ unsigned load(std::uint64_t first, Bits (&bits)[kItems]) const {
    static_assert(kItems * sizeof(Bits) % 16 == 0);
    if (first >= count_) return 0;
    const unsigned there = count_ - first < kItems ? static_cast<unsigned>(count_ - first) : kItems;
    if (there == kItems && is_aligned_) {
      uint4 vectors[kItems * sizeof(Bits) / 16];
      const auto* const from = reinterpret_cast<const uint4*>(bits_ + first);
#pragma unroll
      for (unsigned k = 0; k < kItems * sizeof(Bits) / 16; ++k) vectors[k] = from[k];
      memcpy(bits, vectors, sizeof bits);
    } else {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        if (k < there) bits[k] = bits_[first + k];
      }
    }
    return there;
  }

  /// Turns the bits of items into their codes.
  template <unsigned kItems>
  __device__ void encode(Bits (&bits)[kItems]) const {
    if (is_compacted_) return;
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) bits[k] = selection_.keys.codec.encode(bits[k]);
  }

 private:
  const Items& selection_;
  const bool is_compacted_;
  const Bits* const bits_;
  const std::uint64_t count_;
  const bool is_aligned_;
};

}  // namespace sortie::kernels
