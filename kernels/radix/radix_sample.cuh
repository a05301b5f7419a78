// Looks at some keys before the sort: how many leading digits tell nearly all of them apart? For 2^28 uniform 64-bit
// keys, the top 32 bits leave one item in sixteen beside another that they do not tell from it; then four passes and a
// repair of neighbours replace eight passes.
//
// Two of n keys agree in their leading digits with the same probability in the sample as in the input. So a sample of
// s keys holds s^2 / n as many such pairs as the input does per key.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_plan.hpp"

namespace sortie::kernels {

/// The bits set in the value of any lane. Called by whole warps.
__device__ inline std::uint64_t warp_or(std::uint64_t bits) {
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) bits |= __shfl_xor_sync(~0u, bits, step);
  return bits;
}

/// Adds the bits that are one, and those that are zero, in the keys of a warp's lanes to *all_ones and *all_zeros.
__device__ inline void leave_bits(std::uint64_t ones, std::uint64_t zeros, std::uint64_t* all_ones,
                                  std::uint64_t* all_zeros) {
  const std::uint64_t warp_ones = warp_or(ones);
  const std::uint64_t warp_zeros = warp_or(zeros);
  if (threadIdx.x % 32 != 0) return;
  atomicOr(reinterpret_cast<unsigned long long*>(all_ones), warp_ones);
  atomicOr(reinterpret_cast<unsigned long long*>(all_zeros), warp_zeros);
}

/// The same for all threads of a block, which adds to what others find once. Contains a barrier.
template <unsigned kThreads>
__device__ void leave_bits_of_block(std::uint64_t ones, std::uint64_t zeros, std::uint64_t* all_ones,
                                    std::uint64_t* all_zeros) {
  constexpr unsigned kWarps = kThreads / 32;
  __shared__ std::uint64_t of_warps[2][kWarps];
  const std::uint64_t warp_ones = warp_or(ones);
  const std::uint64_t warp_zeros = warp_or(zeros);
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  if (lane == 0) {
    of_warps[0][warp] = warp_ones;
    of_warps[1][warp] = warp_zeros;
  }
  __syncthreads();
  if (warp >= 2) return;
  const std::uint64_t found = warp_or(lane < kWarps ? of_warps[warp][lane] : 0);
  if (lane == 0) atomicOr(reinterpret_cast<unsigned long long*>(warp == 0 ? all_ones : all_zeros), found);
}

/// Each digit but the lowest has a hash table of leading digits. A slot keeps the last key that came. The key it
/// replaces has other leading digits, is the same key, or is a collision. An empty slot reads as the key zero, which
/// can add one to a count.
template <class Key, class Codec>
__global__ void __launch_bounds__(kRadixStreamThreads)
    radix_sample_kernel(CodedKeys<Key, Codec> keys, std::uint64_t count, BitRange bits, std::uint64_t sample_keys,
                        std::uint64_t* table, RadixPlan* plan) {
  __shared__ unsigned collisions[kMaxDigits];
  if (threadIdx.x < kMaxDigits) collisions[threadIdx.x] = 0;
  __syncthreads();
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < sample_keys) {
    const Key key = keys[radix_sample_position(i, count)];
    ones = key;
    zeros = static_cast<Key>(~key);
    const std::uint64_t ordered = ordered_bits(bits, key);
    for (unsigned digit = 1; digit < radix_digit_count(bits); ++digit) {
      const std::uint64_t leading = ordered >> (digit * kDigitBits);
      auto* slot = reinterpret_cast<unsigned long long*>(table + (digit - 1) * sample_keys +
                                                         (scattered(leading + 1) & (sample_keys - 1)));
      // A slot that shows these leading digits already is left alone, so that few threads write where keys are alike.
      std::uint64_t before = *reinterpret_cast<volatile unsigned long long*>(slot);
      if (before == 0 || before >> (digit * kDigitBits) != leading) before = atomicExch(slot, ordered);
      if (before != ordered && before >> (digit * kDigitBits) == leading) atomicAdd(&collisions[digit], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x < kMaxDigits && collisions[threadIdx.x] != 0) {
    atomicAdd(&plan->sample_collisions[threadIdx.x], collisions[threadIdx.x]);
  }
  leave_bits(ones, zeros, &plan->sample_ones, &plan->sample_zeros);
}

/// The result of the sample, also if none was taken: the lowest digit that the sort has to look at.
struct SampleVerdict {
  BitRange bits;
  bool takes_all;  ///< takes_all_digits(): no key is looked at
  bool sampled;
  std::uint32_t limit;  ///< radix_sample_limit()

  __device__ unsigned lowest_digit(const RadixPlan& plan) const {
    if (!sampled) return 0;
    unsigned digit = radix_digit_count(bits) - 1;
    while (digit > 0 && plan.sample_collisions[digit] > limit) --digit;
    return digit;
  }

  /// The digits from the lowest one on, as a set of bits.
  __device__ unsigned leading_digits(const RadixPlan& plan) const {
    return ((1u << radix_digit_count(bits)) - 1) & (~0u << lowest_digit(plan));
  }
};

}  // namespace sortie::kernels
