// Ranking by ballots: where each of a warp's items goes among the items of the same digit.
#pragma once

#include <cstdint>

#include "kernels/radix_plan.hpp"

namespace sortie::kernels {

/// The lanes whose digit is the same as this lane's. A ballot per bit beats __match_any_sync from four
/// different digits in a warp on.
__device__ inline unsigned lanes_of_same_digit(unsigned digit) {
  unsigned peers = ~0u;
#pragma unroll
  for (unsigned bit = 0; bit < kDigitBits; ++bit) {
    const bool set = ((digit >> bit) & 1) != 0;
    const unsigned lanes_set = __ballot_sync(~0u, set);
    peers &= set ? lanes_set : ~lanes_set;
  }
  return peers;
}

/// Ranks a warp's items, item k of lane l being the (32 k + l)-th, and leaves the warp's histogram in
/// `counts`, which is all zero before. ranks[k]: how many earlier items of the warp have the same digit.
template <unsigned kItems, class Key>
__device__ void rank_in_warp(const Key (&keys)[kItems], RadixDigit digit, unsigned* counts, unsigned (&ranks)[kItems]) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned lanes_below = (1u << lane) - 1;
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned bin = digit.of(keys[k]);
    const unsigned peers = lanes_of_same_digit(bin);
    const unsigned peers_below = __popc(peers & lanes_below);
    unsigned before = 0;
    if (peers_below == 0) before = atomicAdd(&counts[bin], __popc(peers));
    ranks[k] = __shfl_sync(~0u, before, __ffs(peers) - 1) + peers_below;
    __syncwarp();
  }
}

}  // namespace sortie::kernels
