// The plan of a radix sort's passes follows from the counts of its keys' digits: where each bin begins, and which
// digits need a pass.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/byte_packing.hpp"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_sample.cuh"
#include "kernels/radix/warp_rank.cuh"

namespace sortie::kernels {

/// A warp for each digit.
inline constexpr unsigned kPlanThreads = 32 * kMaxDigits;

/// Turns the counts of a digit's bins into their beginnings. Called by a whole warp.
__device__ inline void begin_bins(std::uint64_t (&bins)[kRadixBins]) {
  constexpr unsigned kLaneBins = kRadixBins / 32;
  std::uint64_t* const own = bins + threadIdx.x % 32 * kLaneBins;
  std::uint64_t counts[kLaneBins];
  std::uint64_t sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kLaneBins; ++i) {
    counts[i] = __ldcg(own + i);
    sum += counts[i];
  }
  std::uint64_t begin = warp_inclusive_sum(sum) - sum;
#pragma unroll
  for (unsigned i = 0; i < kLaneBins; ++i) {
    own[i] = begin;
    begin += counts[i];
  }
}

/// Turns the counts of `counted` digits into the bins' beginnings, and lists the digits that need a pass. In the first
/// phase these are the leading digits that vary, unless the keys are in order already; in the second phase, if the
/// first was not enough, all digits that vary. If the verdict takes all digits, all need one. Also decides how the
/// first phase packs the keys. Called by the first kPlanThreads threads of a block at least. What other blocks of the
/// same launch have counted is read past this block's cache.
template <RadixPhase kPhase>
__device__ void plan_passes(const SampleVerdict& verdict, RadixPlan& plan) {
  if (!verdict.takes_all && (__ldcg(&plan.unsorted) == 0 || (kPhase == kAllDigits && plan.failed == 0))) return;
  const std::uint64_t ones = __ldcg(&plan.ones);
  const std::uint64_t zeros = __ldcg(&plan.zeros);
  const unsigned varying = verdict.takes_all ? ~0u : varying_digits(verdict.bits, ones, zeros);
  const unsigned leading = verdict.leading_digits(plan);
  const unsigned sorted_by = kPhase == kLeadingDigits ? varying & leading : varying;
  const unsigned counted = kPhase == kLeadingDigits ? varying & leading : varying & ~leading;
  const unsigned digit = threadIdx.x / 32;
  if (digit < kMaxDigits && (counted >> digit & 1) != 0) begin_bins(plan.bins[digit]);
  if (threadIdx.x != 0) return;
  unsigned pass = 0;
  for (unsigned i = 0; i < radix_digit_count(verdict.bits); ++i) {
    if ((sorted_by >> i & 1) != 0) plan.passes[kPhase].digits[pass++] = i;
  }
  plan.passes[kPhase].count = pass;
  const bool may_pack = verdict.sampled && verdict.bits.begin % kDigitBits == 0;
  if (kPhase == kLeadingDigits && may_pack) plan.packing = BytePacking(ones, zeros);
}

/// For sorts whose counts several launches make. Runs as one block of kPlanThreads threads.
template <RadixPhase kPhase>
__global__ void __launch_bounds__(kPlanThreads) radix_plan_kernel(SampleVerdict verdict, RadixPlan* plan) {
  await_launch_before();
  plan_passes<kPhase>(verdict, *plan);
}

/// Whether all other blocks of the launch have called this before; what they wrote before is then seen by reads past
/// this block's cache. `calls` is zero before the launch.
__device__ inline bool is_last_block(std::uint32_t* calls) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(calls, 1u) == gridDim.x - 1;
  __syncthreads();
  __threadfence();
  return is_last;
}

}  // namespace sortie::kernels
