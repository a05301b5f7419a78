// merge_path() by a warp, for kernels whose blocks find where their tiles begin in lists in global memory.
#pragma once

#include <cstdint>

namespace sortie::kernels {

/// The number of items of `a` among the first `diagonal` items of both sequences, merged. The warp looks at 32 places
/// at once, which leaves one of 33 parts of a range: so it waits for memory six or seven times where a thread would
/// wait for it thirty times. Called by all lanes of a warp.
template <class Sequence, class OtherSequence, class Before>
__device__ std::uint64_t merge_path_of_warp(const Sequence& a, std::uint64_t a_count, const OtherSequence& b,
                                            std::uint64_t b_count, std::uint64_t diagonal, const Before& before) {
  std::uint64_t low = diagonal > b_count ? diagonal - b_count : 0;
  std::uint64_t high = diagonal < a_count ? diagonal : a_count;
  const unsigned lane = threadIdx.x % 32;
  while (low < high) {
    const std::uint64_t step = (high - low + 32) / 33;
    const std::uint64_t at = low + (lane + 1) * step - 1;
    const bool takes_a = at < high && !before(b[diagonal - 1 - at], a[at]);
    const unsigned taken = __popc(__ballot_sync(~0U, takes_a));
    low += taken * step;
    if (taken < 32 && low + step - 1 < high) high = low + step - 1;
  }
  return low;
}

}  // namespace sortie::kernels
