// The one read of all keys that precedes the passes: histograms of every digit, then the plan made of them.
#pragma once

#include <cstdint>

#include <cub/block/block_scan.cuh>

#include "kernels/radix_plan.hpp"

namespace sortie::kernels {

template <class Key>
__device__ void count_digits(Key key, BitRange bits, unsigned (&counts)[sizeof(Key)][kRadixBins]) {
#pragma unroll
  for (unsigned i = 0; i < sizeof(Key); ++i) {
    if (i < radix_digit_count(bits)) atomicAdd(&counts[i][radix_digit(bits, i).of(key)], 1u);
  }
}

/// Vectors of 16 bytes that a thread has under way at once.
inline constexpr unsigned kHistogramVectors = 4;

template <class Key>
inline constexpr std::uint64_t kHistogramTile = kRadixStreamThreads* kHistogramVectors*(16 / sizeof(Key));

/// A grid-stride read in 16-byte vectors. A block counts in 32 bits: it sees fewer than 2^32 keys, since
/// no device has the memory for more per multiprocessor.
template <class Key>
__global__ void __launch_bounds__(kRadixStreamThreads)
    radix_histogram_kernel(const Key* keys, std::uint64_t count, BitRange bits, RadixPlan* plan) {
  constexpr unsigned kVectorKeys = 16 / sizeof(Key);
  __shared__ unsigned counts[sizeof(Key)][kRadixBins];
  for (unsigned i = threadIdx.x; i < sizeof(Key) * kRadixBins; i += blockDim.x)
    counts[i / kRadixBins][i % kRadixBins] = 0;
  __syncthreads();

  const std::uint64_t vector_count = count / kVectorKeys;
  const uint4* vectors = reinterpret_cast<const uint4*>(keys);
  const std::uint64_t tile = std::uint64_t{blockDim.x} * kHistogramVectors;
  for (std::uint64_t begin = blockIdx.x * tile; begin < vector_count; begin += gridDim.x * tile) {
    uint4 loaded[kHistogramVectors];
#pragma unroll
    for (unsigned k = 0; k < kHistogramVectors; ++k) {
      const std::uint64_t at = begin + k * blockDim.x + threadIdx.x;
      if (at < vector_count) loaded[k] = vectors[at];
    }
#pragma unroll
    for (unsigned k = 0; k < kHistogramVectors; ++k) {
      if (begin + k * blockDim.x + threadIdx.x >= vector_count) break;
      Key lanes[kVectorKeys];
      memcpy(lanes, &loaded[k], sizeof lanes);
#pragma unroll
      for (unsigned lane = 0; lane < kVectorKeys; ++lane) count_digits(lanes[lane], bits, counts);
    }
  }
  const std::uint64_t rest = vector_count * kVectorKeys + threadIdx.x;
  if (blockIdx.x == 0 && rest < count) count_digits(keys[rest], bits, counts);

  __syncthreads();
  for (unsigned i = threadIdx.x; i < radix_digit_count(bits) * kRadixBins; i += blockDim.x) {
    const unsigned bin_count = counts[i / kRadixBins][i % kRadixBins];
    if (bin_count != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&plan->bins[i / kRadixBins][i % kRadixBins]), bin_count);
    }
  }
}

/// Turns counts into the bins' beginnings and lists the digits that need a pass. One block of kRadixBins.
static __global__ void __launch_bounds__(kRadixBins)
    radix_plan_kernel(std::uint64_t count, unsigned digit_count, RadixPlan* plan) {
  using Scan = cub::BlockScan<std::uint64_t, kRadixBins>;
  __shared__ typename Scan::TempStorage scan_storage;
  unsigned pass_count = 0;
  for (unsigned digit = 0; digit < digit_count; ++digit) {
    std::uint64_t& bin = plan->bins[digit][threadIdx.x];
    const bool constant = __syncthreads_or(bin == count) != 0;
    if (constant) continue;
    std::uint64_t begin = 0;
    Scan(scan_storage).ExclusiveSum(bin, begin);
    bin = begin;
    if (threadIdx.x == 0) plan->pass_digits[pass_count] = digit;
    ++pass_count;
    __syncthreads();
  }
  if (threadIdx.x == 0) plan->pass_count = pass_count;
}

/// Brings the result home if an odd number of passes left it in the alternate array.
template <class Item>
__global__ void __launch_bounds__(kRadixStreamThreads)
    radix_copy_home_kernel(const RadixPlan* plan, const Item* alternate, Item* primary, std::uint64_t count) {
  if (plan->pass_count % 2 == 0) return;
  constexpr unsigned kVectorItems = 16 / sizeof(Item);
  const std::uint64_t vector_count = count / kVectorItems;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t i = first; i < vector_count; i += std::uint64_t{gridDim.x} * blockDim.x) {
    reinterpret_cast<uint4*>(primary)[i] = reinterpret_cast<const uint4*>(alternate)[i];
  }
  const std::uint64_t rest = vector_count * kVectorItems + first;
  if (rest < count) primary[rest] = alternate[rest];
}

}  // namespace sortie::kernels
