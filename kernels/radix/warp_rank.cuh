// Ranks a warp's items by ballots: where each goes among the items of the same digit.
#pragma once

#include <cstdint>

#include "kernels/common/warp_sums.cuh"
#include "kernels/radix/radix_plan.hpp"

namespace sortie::kernels {

/// The lanes whose digit is the same as this lane's. One ballot per bit beats __match_any_sync when a warp has four or
/// more different digits.
///
/// Written in PTX because the compiler makes twice the instructions of the same in C++: without it a sort of u32 takes
/// 30% longer. Sorts of pairs, which wait for memory, would be 2 to 3% faster without it at 2^27 items (H100). The
/// lanes that agree with this one in a bit are the ballot, or its complement if this lane's bit is zero.
__device__ inline unsigned lanes_of_same_digit(unsigned digit) {
  unsigned peers = ~0u;
#pragma unroll
  for (unsigned bit = 0; bit < kDigitBits; ++bit) {
    asm volatile(
        "{\n"
        "  .reg .pred set;\n"
        "  .reg .b32 bits;\n"
        "  and.b32 bits, %1, %2;\n"
        "  setp.ne.u32 set, bits, 0;\n"
        "  vote.sync.ballot.b32 bits, set, 0xffffffff;\n"
        "  @!set not.b32 bits, bits;\n"
        "  and.b32 %0, %0, bits;\n"
        "}\n"
        : "+r"(peers)
        : "r"(digit), "r"(1u << bit));
  }
  return peers;
}

/// Adds `amount` to a warp's own counter in shared memory and returns the sum. The counter changes only in lanes with
/// `stores`. A plain load and store suffice, because a warp's accesses to shared memory take effect in order; an
/// atomic addition that returns takes a branch, a shuffle, and twice as long. In PTX, so that the store is predicated,
/// not branched around: gains 2% of u32, nothing of pairs (H100, 2^27 items).
__device__ inline unsigned advance_counter(unsigned* counter, unsigned amount, bool stores) {
  unsigned sum = 0;
  asm volatile(
      "{\n"
      "  .reg .pred stores;\n"
      "  ld.shared.u32 %0, [%1];\n"
      "  add.u32 %0, %0, %2;\n"
      "  setp.ne.u32 stores, %3, 0;\n"
      "  @stores st.shared.u32 [%1], %0;\n"
      "}\n"
      : "=&r"(sum)
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(counter))), "r"(amount), "r"(static_cast<unsigned>(stores))
      : "memory");
  __syncwarp();
  return sum;
}

/// Items per thread whose digits are compared before the first one is counted.
inline constexpr unsigned kRankBatch = 4;

/// Ranks a warp's items; item k of lane l is the (32 k + l)-th. Sets ranks[k] to the number of earlier items of the
/// warp with the same digit. Leaves the warp's histogram in `counts`, which is all zero before.
///
/// The highest of the lanes that share a digit counts for all of them.
template <unsigned kItems, class Key>
__device__ void rank_in_warp(const Key (&keys)[kItems], RadixDigit digit, unsigned* counts, unsigned (&ranks)[kItems]) {
  const unsigned lanes_above = ~1u << threadIdx.x % 32;
#pragma unroll
  for (unsigned first = 0; first < kItems; first += kRankBatch) {
    unsigned peers[kRankBatch];
#pragma unroll
    for (unsigned i = 0; i < kRankBatch && first + i < kItems; ++i) {
      peers[i] = lanes_of_same_digit(digit.of(keys[first + i]));
    }
#pragma unroll
    for (unsigned i = 0; i < kRankBatch && first + i < kItems; ++i) {
      const unsigned up_to_this = __popc(peers[i] & ~lanes_above);
      unsigned* counter = &counts[digit.of(keys[first + i])];
      ranks[first + i] = advance_counter(counter, up_to_this, (peers[i] & lanes_above) == 0) - 1;
    }
  }
}

}  // namespace sortie::kernels
