// One digit of a radix select: blocks count the digits of the items that agree with those known so far, and the last
// block to end finds the digit of the last item that is selected.
#pragma once

#include <cstdint>

#include <cub/block/block_scan.cuh>

#include "kernels/select/select_state.cuh"

namespace sortie::kernels {

inline constexpr unsigned kDigitThreads = 1024;
inline constexpr unsigned kDigitBlocks = 2;  ///< per multiprocessor

/// A thread reads so many items in a row: 32 bytes.
template <class Bits>
inline constexpr unsigned kDigitItems = 32 / sizeof(Bits);
template <class Bits>
inline constexpr std::uint64_t kDigitTile = std::uint64_t{kDigitThreads} * kDigitItems<Bits>;

/// What the blocks of one launch add up; all zero at first.
struct DigitCounts {
  std::uint64_t bins[kSelectBins];
  unsigned blocks_done;
};

struct DigitShared {
  unsigned bins[kSelectBins];
  typename cub::BlockScan<std::uint64_t, kDigitThreads>::TempStorage scan;
  bool is_last_block;
};

/// Counts items in a row whose digit is the same at once, so that lanes meet less often at a frequent one.
class RunCounter {
 public:
  __device__ explicit RunCounter(unsigned* bins) : bins_(bins) {}
  __device__ void add(unsigned bin) {
    if (bin != bin_) leave();
    bin_ = bin;
    ++length_;
  }
  __device__ void leave() {
    if (length_ != 0) atomicAdd(&bins_[bin_], length_);
    length_ = 0;
  }

 private:
  unsigned* const bins_;
  unsigned bin_ = 0;
  unsigned length_ = 0;
};

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
  cub::BlockScan<std::uint64_t, kDigitThreads>(shared.scan).ExclusiveSum(sum, below);
#pragma unroll
  for (unsigned k = 0; k < kBinsEach; ++k) {
    if (below < before.rank && before.rank <= below + here[k]) {
      const std::uint64_t bin = threadIdx.x * kBinsEach + k;
      *after = {before.prefix << digit_bits | bin, before.rank - below, here[k], shift};
    }
    below += here[k];
  }
}

/// Finds digit number `digit`, counted from the highest.
template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kDigitThreads)
    select_digit_kernel(const __grid_constant__ Selection<Bits, Codec, Position> selection, unsigned digit,
                        DigitCounts* counts) {
  __shared__ DigitShared shared;
  for (unsigned bin = threadIdx.x; bin < kSelectBins; bin += kDigitThreads) shared.bins[bin] = 0;
  await_launch_before();
  SelectedDigits before{0, selection.selected_count, selection.count, 0};
  if (digit != 0) before = selection.known[digit];
  SelectedDigits* const after = &selection.known[digit + 1];
  if (before.is_settled()) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *after = before;
    return;
  }
  const SelectSource<Bits, Codec, Position> source(selection, digit == 0 ? 0 : selection.compacted_after(digit));
  const std::uint64_t tiles = (source.count() + kDigitTile<Bits> - 1) / kDigitTile<Bits>;
  const unsigned blocks = tiles < gridDim.x ? static_cast<unsigned>(tiles) : gridDim.x;
  if (blockIdx.x >= blocks) return;
  __syncthreads();
  const unsigned shift = select_shift<Bits>(digit + 1);
  const unsigned digit_bits = digit == 0 ? 8 * sizeof(Bits) - shift : before.shift - shift;
  const unsigned mask = (1U << digit_bits) - 1;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += blocks) {
    Bits codes[kDigitItems<Bits>];
    const unsigned there = source.load(tile * kDigitTile<Bits> + threadIdx.x * kDigitItems<Bits>, codes);
    RunCounter counter(shared.bins);
#pragma unroll
    for (unsigned k = 0; k < kDigitItems<Bits>; ++k) {
      if (k >= there) break;
      const bool agrees = digit == 0 || static_cast<std::uint64_t>(codes[k] >> before.shift) == before.prefix;
      if (agrees) counter.add(static_cast<unsigned>(codes[k] >> shift) & mask);
    }
    counter.leave();
  }
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
  if (!shared.is_last_block) return;
  __threadfence();
  choose_digit(before, shift, digit_bits, *counts, shared, after);
}

}  // namespace sortie::kernels
