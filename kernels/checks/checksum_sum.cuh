// Adds up 128-bit hashes: each thread its own, each block by shuffles, and all blocks in one place.
#pragma once

#include <cstdint>

#include <sortie/report.hpp>

namespace sortie::kernels {

__device__ inline void add(Checksum& sum, const Checksum& term) {
  asm("add.cc.u64 %0, %0, %2;\n\taddc.u64 %1, %1, %3;" : "+l"(sum.low), "+l"(sum.high) : "l"(term.low), "l"(term.high));
}

/// The sum over this lane and those after it; lane 0 has the sum of its warp.
__device__ inline Checksum sum_of_warp(Checksum own) {
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    add(own, {__shfl_down_sync(~0u, own.low, distance), __shfl_down_sync(~0u, own.high, distance)});
  }
  return own;
}

/// Adds every thread's own sum to *sum, which all blocks share. Called once by all threads of the block. Each addition
/// to the low word carries according to the value it found there, so the order of the blocks does not matter.
template <unsigned kThreads>
__device__ void add_from_block(const Checksum& own, Checksum* sum) {
  __shared__ Checksum of_warps[kThreads / 32];
  const Checksum of_warp = sum_of_warp(own);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = of_warp;
  __syncthreads();
  if (threadIdx.x != 0) return;
  Checksum total;
  for (const Checksum& part : of_warps) add(total, part);
  const std::uint64_t before =
      atomicAdd(reinterpret_cast<unsigned long long*>(&sum->low), static_cast<unsigned long long>(total.low));
  const std::uint64_t carry = before + total.low < before ? 1 : 0;
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum->high), static_cast<unsigned long long>(total.high + carry));
}

}  // namespace sortie::kernels
