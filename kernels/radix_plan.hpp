// The numbers behind a radix sort: digits of a key, portions of a pass, scratch. Host and device agree on
// them here; none needs a GPU.
//
// A pass is launched in portions of at most kPortionTiles tiles, so that status words and counts stay
// small however long the input is. Portions of a pass follow each other: each leaves the bins' next free
// places for the one behind it.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/radix_tuning.hpp"
#include "kernels/scratch_layout.hpp"

namespace sortie::kernels {

inline constexpr unsigned kDigitBits = 8;
inline constexpr unsigned kRadixBins = 1u << kDigitBits;
inline constexpr unsigned kMaxDigits = 64 / kDigitBits;
inline constexpr std::uint64_t kPortionTiles = 32768;

/// One digit of a key.
struct RadixDigit {
  unsigned shift = 0;
  unsigned mask = 0;

  template <class Key>
  SORTIE_HD unsigned of(Key key) const {
    return static_cast<unsigned>(key >> shift) & mask;
  }
};

/// Digit `index` of the bits, 0 the lowest; the highest one may have fewer than kDigitBits.
SORTIE_HD constexpr RadixDigit radix_digit(BitRange bits, unsigned index) {
  const unsigned begin = bits.begin + index * kDigitBits;
  const unsigned width = bits.end - begin < kDigitBits ? bits.end - begin : kDigitBits;
  return {begin, (1u << width) - 1};
}

SORTIE_HD constexpr unsigned radix_digit_count(BitRange bits) {
  return (bits.end - bits.begin + kDigitBits - 1) / kDigitBits;
}

/// In device memory: what the histograms say, and what the passes do about it.
struct RadixPlan {
  std::uint64_t bins[kMaxDigits][kRadixBins];  ///< counts; then where each bin begins in the output
  std::uint64_t next_bins[2][kRadixBins];      ///< the same for later portions of the pass under way
  std::uint32_t pass_digits[kMaxDigits];       ///< the digit that pass i sorts by
  std::uint32_t pass_count;                    ///< digits that are not the same in all keys
};

/// What the blocks of one launch of a pass share; all zero at its start.
struct RadixLaunchState {
  std::uint32_t tile_counter;
  std::uint32_t padding[63];
};

struct RadixScratch {
  RadixPlan* plan;
  RadixLaunchState* launch_state;
  std::uint32_t* status;  ///< kRadixBins words per tile of a portion, right behind launch_state
  std::uint64_t size_bytes;
};

inline RadixScratch radix_scratch(void* area, std::uint64_t count) {
  const std::uint64_t tiles = divide_up(count, kSmallestRadixTile);
  const std::uint64_t portion_tiles = tiles < kPortionTiles ? tiles : kPortionTiles;
  ScratchLayout layout(area);
  RadixScratch scratch{};
  scratch.plan = layout.take<RadixPlan>(1);
  scratch.launch_state = layout.take<RadixLaunchState>(1);
  scratch.status = layout.take<std::uint32_t>(portion_tiles * kRadixBins);
  scratch.size_bytes = layout.size_bytes();
  return scratch;
}

}  // namespace sortie::kernels
