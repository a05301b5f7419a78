// Ranking by ballots: where each of a warp's items goes among the items of the same digit.
#pragma once

#include <cstdint>

#include "kernels/radix_plan.hpp"

namespace sortie::kernels {

/// The lanes whose digit is the same as this lane's. A ballot per bit beats __match_any_sync from four
/// different digits in a warp on.
///
/// In PTX, since of the same in C++ the compiler makes twice the instructions: the lanes that have a bit as
/// this one has it are the ballot, or its complement where this one's is zero.
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

/// Adds to a counter in shared memory where `condition` holds, and returns what it was. A predicated
/// instruction, where an if would make a branch that the instructions around it cannot cross.
__device__ inline unsigned add_if(bool condition, unsigned* counter, unsigned amount) {
  unsigned before = 0;
  asm volatile(
      "{\n"
      "  .reg .pred holds;\n"
      "  setp.ne.u32 holds, %1, 0;\n"
      "  @holds atom.shared.add.u32 %0, [%2], %3;\n"
      "}\n"
      : "+r"(before)
      : "r"(static_cast<unsigned>(condition)), "r"(static_cast<unsigned>(__cvta_generic_to_shared(counter))),
        "r"(amount)
      : "memory");
  return before;
}

/// Sum of the values of the warp's lanes up to and with this one.
__device__ inline unsigned warp_inclusive_sum(unsigned value) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned below = __shfl_up_sync(~0u, value, step);
    if (threadIdx.x % 32 >= step) value += below;
  }
  return value;
}

/// Items of a warp whose additions are under way at once.
inline constexpr unsigned kRankBatch = 4;

/// Ranks a warp's items, item k of lane l being the (32 k + l)-th, and leaves the warp's histogram in
/// `counts`, which is all zero before. ranks[k]: how many earlier items of the warp have the same digit.
///
/// The lowest of the lanes that share a digit adds for all of them. A warp's additions take effect in
/// order, so what item k sees are the items before it.
template <unsigned kItems, class Key>
__device__ void rank_in_warp(const Key (&keys)[kItems], RadixDigit digit, unsigned* counts, unsigned (&ranks)[kItems]) {
  const unsigned lanes_below = (1u << threadIdx.x % 32) - 1;
#pragma unroll
  for (unsigned first = 0; first < kItems; first += kRankBatch) {
    unsigned peers[kRankBatch];
#pragma unroll
    for (unsigned i = 0; i < kRankBatch && first + i < kItems; ++i) {
      const unsigned bin = digit.of(keys[first + i]);
      peers[i] = lanes_of_same_digit(bin);
      ranks[first + i] = add_if((peers[i] & lanes_below) == 0, &counts[bin], __popc(peers[i]));
    }
#pragma unroll
    for (unsigned i = 0; i < kRankBatch && first + i < kItems; ++i) {
      const unsigned before = __shfl_sync(~0u, ranks[first + i], __ffs(peers[i]) - 1);
      ranks[first + i] = before + __popc(peers[i] & lanes_below);
    }
  }
}

}  // namespace sortie::kernels
