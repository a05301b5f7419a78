// Codes of 8 bytes and places in a row as one number each. A row shares the bits above those in which its codes differ,
// so mostly all others fit beside a place; else some are cut off at the lower end. Host and device functions.
//
//   code     | shared | kept, at most 52 bits | cut off, at most 12 |
//   number   | kept | place |        sorted at once, or by the second of two sorts, with ranks in the first for places
//   number   | cut off | place |     sorted by the first of them
#pragma once

#include <bit>
#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

struct CutCodes {
  static constexpr unsigned kPlaceBits = 12;
  static constexpr unsigned kCodeBits = 64 - kPlaceBits;

  std::uint64_t common = 0;  ///< the bits above those in which codes differ
  unsigned cut = 0;          ///< how many bits are cut off

  /// `first` is the code of some item, `differing` has the bits in which others differ.
  SORTIE_HD static constexpr CutCodes of(std::uint64_t first, std::uint64_t differing) {
    const unsigned bits = width(differing);
    return {bits == 0 ? first : bits == 64 ? 0 : first >> bits << bits, bits > kCodeBits ? bits - kCodeBits : 0};
  }

  SORTIE_HD constexpr std::uint64_t item(std::uint64_t code, unsigned place) const {
    return (code ^ common) >> cut << kPlaceBits | place;
  }
  /// The item of the first of two sorts.
  SORTIE_HD constexpr std::uint64_t low_item(std::uint64_t code, unsigned place) const {
    return (code & ((std::uint64_t{1} << cut) - 1)) << kPlaceBits | place;
  }
  SORTIE_HD constexpr bool is_cut() const { return cut != 0; }
  /// Whether two codes differ, but not in the bits that are kept.
  SORTIE_HD constexpr bool are_untold(std::uint64_t a, std::uint64_t b) const { return a != b && (a ^ b) >> cut == 0; }
  /// Precondition: nothing is cut off; else some number.
  SORTIE_HD constexpr std::uint64_t code_of(std::uint64_t item) const { return item >> kPlaceBits | common; }
  SORTIE_HD static constexpr unsigned place_of(std::uint64_t item) {
    return static_cast<unsigned>(item) & ((1U << kPlaceBits) - 1);
  }

 private:
  SORTIE_HD static constexpr unsigned width(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
    return 64 - static_cast<unsigned>(__clzll(static_cast<long long>(bits)));
#else
    return static_cast<unsigned>(std::bit_width(bits));
#endif
  }
};

}  // namespace sortie::kernels
