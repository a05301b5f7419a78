// Chooses the splitters of a sample sort: every 16th key of a sorted sample. The sample is not sorted: each of its keys
// is ranked by comparing it with all others, which many warps do side by side. Of equal keys the one in front is less.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/warp_rank.cuh"
#include "kernels/sample_sort/sample_sort_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kSplitterThreads = 512;
inline constexpr unsigned kRankedByWarp = 2;  ///< sample keys that a warp ranks at once
inline constexpr unsigned kRankedByBlock = kSplitterThreads / 32 * kRankedByWarp;
static_assert(32 % kRankedByWarp == 0 && kSamplesOfBucket * 8 % kRankedByBlock == 0);

/// Also clears the counts of the partition. Has one block per kRankedByBlock sample keys.
template <class Key, class Codec>
__global__ void __launch_bounds__(kSplitterThreads)
    sample_splitters_kernel(const __grid_constant__ CodedKeys<Key, Codec> keys, std::uint64_t count, BitRange bits,
                            const __grid_constant__ SampleSortScratch scratch) {
  extern __shared__ __align__(16) unsigned char sample_bytes[];
  auto* const sample = reinterpret_cast<Key*>(sample_bytes);
  await_launch_before();
  const unsigned samples = scratch.samples();
  for (unsigned i = threadIdx.x; i < samples; i += kSplitterThreads) {
    sample[i] = ordered_bits(bits, keys[splitter_sample_position(i, samples, count)]);
  }
  for (unsigned i = blockIdx.x * kSplitterThreads + threadIdx.x; i < scratch.cleared_words;
       i += gridDim.x * kSplitterThreads) {
    scratch.group_counts[i] = 0;
  }
  __syncthreads();
  const unsigned first = blockIdx.x * kRankedByBlock + threadIdx.x / 32 * kRankedByWarp;
  Key own[kRankedByWarp];
  unsigned ranks[kRankedByWarp] = {};
#pragma unroll
  for (unsigned k = 0; k < kRankedByWarp; ++k) own[k] = sample[first + k];
  const auto compare = [&](unsigned i, const auto& is_before) {
    const Key other = sample[i];
#pragma unroll
    for (unsigned k = 0; k < kRankedByWarp; ++k) ranks[k] += is_before(other, own[k], first + k) ? 1 : 0;
  };
  // The warp's own keys are all among the 32 from `near` on, since their number divides 32.
  const unsigned near = first / 32 * 32 + threadIdx.x % 32;
#pragma unroll 4
  for (unsigned i = threadIdx.x % 32; i < near; i += 32) {
    compare(i, [](Key other, Key key, unsigned) { return other <= key; });
  }
  compare(near, [&](Key other, Key key, unsigned at) { return other < key || (other == key && near < at); });
#pragma unroll 4
  for (unsigned i = near + 32; i < samples; i += 32) {
    compare(i, [](Key other, Key key, unsigned) { return other < key; });
  }
#pragma unroll
  for (unsigned k = 0; k < kRankedByWarp; ++k) {
    const unsigned rank = warp_sum(ranks[k]);
    if (threadIdx.x % 32 != 0 || rank == 0 || rank % kSamplesOfBucket != 0) continue;
    scratch.splitters.keys[rank / kSamplesOfBucket - 1] = sample[first + k];
    scratch.splitters.positions[rank / kSamplesOfBucket - 1] =
        static_cast<std::uint32_t>(splitter_sample_position(first + k, samples, count));
  }
}

}  // namespace sortie::kernels
