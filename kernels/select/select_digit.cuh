// One digit of a radix select: blocks count the digits of the items that agree with those known so far, and the last
// block to end finds the digit of the last item that is selected.
#pragma once

#include <cstdint>

#include <cub/block/block_scan.cuh>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/select/select_state.cuh"

namespace sortie::kernels {

inline constexpr unsigned kDigitThreads = 1024;
inline constexpr unsigned kDigitBlocks = 2;  ///< per multiprocessor

/// A thread reads so many items in a row: 32 bytes.
template <class Bits>
inline constexpr unsigned kDigitItems = 32 / sizeof(Bits);
template <class Bits>
inline constexpr std::uint64_t kDigitTile = std::uint64_t{kDigitThreads} * kDigitItems<Bits>;

/// Keys that are sampled, and how many of them a thread reads.
inline constexpr unsigned kSelectSample = 1U << 16;
inline constexpr unsigned kSampleItems = 4;

/// What the blocks of one launch add up; all zero at first.
struct DigitCounts {
  std::uint64_t bins[kSelectBins];
  unsigned blocks_done;
};

/// Scans by warps: the default keeps more of 64 bits than a thread of so many has registers for.
using DigitScan = cub::BlockScan<std::uint64_t, kDigitThreads, cub::BLOCK_SCAN_WARP_SCANS>;

struct DigitShared {
  unsigned bins[kSelectBins];
  typename DigitScan::TempStorage scan;
  bool is_last_block;
};

/// Adds what a block has counted to the counts of all. Returns whether all blocks have, to the whole block that is the
/// last.
__device__ inline bool leave_counts(DigitShared& shared, unsigned blocks, DigitCounts* counts) {
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kSelectBins; bin += kDigitThreads) {
    if (shared.bins[bin] != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&counts->bins[bin]), std::uint64_t{shared.bins[bin]});
    }
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) shared.is_last_block = atomicAdd(&counts->blocks_done, 1U) + 1 == blocks;
  __syncthreads();
  if (shared.is_last_block) __threadfence();
  return shared.is_last_block;
}

__device__ inline void clear_bins(DigitShared& shared) {
  for (unsigned bin = threadIdx.x; bin < kSelectBins; bin += kDigitThreads) shared.bins[bin] = 0;
}

/// Finds the bin that the item of this rank is in. Called by the whole last block.
__device__ inline void choose_digit(const SelectedDigits& before, unsigned shift, unsigned digit_bits,
                                    const DigitCounts& counts, DigitShared& shared, SelectedDigits* after) {
  constexpr unsigned kBinsEach = kSelectBins / kDigitThreads;
  std::uint64_t here[kBinsEach];
  std::uint64_t sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kBinsEach; ++k) {
    here[k] = __ldcg(&counts.bins[threadIdx.x * kBinsEach + k]);
    sum += here[k];
  }
  std::uint64_t below = 0;
  DigitScan(shared.scan).ExclusiveSum(sum, below);
#pragma unroll
  for (unsigned k = 0; k < kBinsEach; ++k) {
    if (below < before.rank && before.rank <= below + here[k]) {
      const std::uint64_t bin = threadIdx.x * kBinsEach + k;
      *after = {before.prefix << digit_bits | bin, before.rank - below, here[k], shift};
    }
    below += here[k];
  }
}

/// A digit of 11 bits or less within codes.
struct DigitPlace {
  unsigned shift;
  unsigned bits;

  template <class Bits>
  __device__ unsigned of(Bits code) const {
    return static_cast<unsigned>(code >> shift) & ((1U << bits) - 1);
  }
};

/// The highest digit.
template <class Bits>
__device__ DigitPlace first_digit() {
  constexpr unsigned kShift = select_shift<Bits>(1);
  return {kShift, 8 * sizeof(Bits) - kShift};
}

/// Counts the digits of items in a row, `there` of them. If all are the same they are counted at once, as lanes would
/// meet at a frequent one.
template <class Bits, unsigned kItems>
__device__ void count_all(const Bits (&codes)[kItems], unsigned there, const DigitPlace& place, DigitShared& shared) {
  bool are_same = there == kItems;
#pragma unroll
  for (unsigned k = 1; k < kItems; ++k) are_same &= place.of(codes[k]) == place.of(codes[0]);
  if (are_same) {
    atomicAdd(&shared.bins[place.of(codes[0])], kItems);
    return;
  }
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (k < there) atomicAdd(&shared.bins[place.of(codes[k])], 1U);
  }
}

/// Finds digit number `digit`, counted from the highest.
template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kDigitThreads)
    select_digit_kernel(const __grid_constant__ Selection<Bits, Codec, Position> selection, unsigned digit,
                        DigitCounts* counts) {
  __shared__ DigitShared shared;
  clear_bins(shared);
  await_launch_before();
  const SelectSource<Bits, Codec, Position> source(selection, selection.candidate_count(digit));
  SelectedDigits before{0, selection.selected_count, source.count(), 0};
  if (digit != 0) before = selection.known[digit];
  SelectedDigits* const after = &selection.known[digit + 1];
  if (digit != 0 && before.is_settled()) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *after = before;
    return;
  }
  const std::uint64_t tiles = (source.count() + kDigitTile<Bits> - 1) / kDigitTile<Bits>;
  const unsigned blocks = tiles < gridDim.x ? static_cast<unsigned>(tiles) : gridDim.x;
  if (blockIdx.x >= blocks) return;
  __syncthreads();
  DigitPlace place = first_digit<Bits>();
  if (digit != 0) {
    place.shift = select_shift<Bits>(digit + 1);
    place.bits = before.shift - place.shift;
  }
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += blocks) {
    Bits codes[kDigitItems<Bits>];
    const unsigned there = source.load(tile * kDigitTile<Bits> + threadIdx.x * kDigitItems<Bits>, codes);
    source.encode(codes);
    if (digit == 0) {
      count_all(codes, there, place, shared);
      continue;
    }
#pragma unroll
    for (unsigned k = 0; k < kDigitItems<Bits>; ++k) {
      const bool agrees = k < there && static_cast<std::uint64_t>(codes[k] >> before.shift) == before.prefix;
      if (agrees) atomicAdd(&shared.bins[place.of(codes[k])], 1U);
    }
  }
  if (leave_counts(shared, blocks, counts)) choose_digit(before, place.shift, place.bits, *counts, shared, after);
}

/// Finds, in known[0], up to which first digit the items are candidates: so many of a sample of all keys are, that too
/// few candidates are nearly impossible.
template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kDigitThreads)
    sample_digit_kernel(const __grid_constant__ Selection<Bits, Codec, Position> selection, std::uint64_t rank,
                        DigitCounts* counts) {
  __shared__ DigitShared shared;
  clear_bins(shared);
  await_launch_before();
  __syncthreads();
  const DigitPlace place = first_digit<Bits>();
  const std::uint64_t first = (std::uint64_t{blockIdx.x} * kDigitThreads + threadIdx.x) * kSampleItems;
  Bits codes[kSampleItems];
#pragma unroll
  for (unsigned k = 0; k < kSampleItems; ++k) codes[k] = selection.keys[scattered(first + k) % selection.count];
  count_all(codes, kSampleItems, place, shared);
  const SelectedDigits sample{0, rank, kSelectSample, 0};
  if (leave_counts(shared, gridDim.x, counts)) {
    choose_digit(sample, place.shift, place.bits, *counts, shared, &selection.known[0]);
  }
}

}  // namespace sortie::kernels
