// The last kernel of the segmented sort: all blocks together sort the segments that no block can hold. The host does
// not know whether there are any, so it is one launch with barriers of the whole grid between its steps, and not a
// launch a step. All giants take each step together.
#pragma once

#include <cstdint>

#include <cuda/atomic>

#include "kernels/segmented/giant_counts.cuh"
#include "kernels/segmented/giant_pass.cuh"
#include "kernels/segmented/giant_repair.cuh"

namespace sortie::kernels {

/// A barrier of all blocks of a cooperative grid; what they wrote before it is seen behind it. cooperative_groups has
/// one, too, but calls functions for it, which leave the passes too few registers. `arrived` is zero at first;
/// `barriers` is how many this one makes.
__device__ inline void wait_for_grid(std::uint32_t* arrived, unsigned barriers) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device> blocks(*arrived);
    __threadfence();
    blocks.fetch_add(1, ::cuda::memory_order_acq_rel);
    while (blocks.load(::cuda::memory_order_acquire) < barriers * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

/// The steps around the passes.
template <class Code, class Value, class Tile>
class GiantSort {
 public:
  using Pass = GiantPass<Code, Value, Tile>;
  using PassShared = typename Pass::Shared;

  static constexpr unsigned kDigits = sizeof(Code);
  static constexpr unsigned kCounters = kDigits * kRadixBins;
  static constexpr unsigned kThreads = Tile::kTuning.threads;
  static constexpr unsigned kCounterBytes = Tile::kItems == kSmallestRadixTile ? 32 * 1024 : 64 * 1024;
  static constexpr unsigned kSharedBytes = sizeof(PassShared) > kCounterBytes ? sizeof(PassShared) : kCounterBytes;

  __device__ GiantSort(const RadixArrays<Code, Value>& arrays, const KeyCodec<Code>& codec, const GiantLists& lists,
                       unsigned char* shared)
      : arrays_(arrays),
        codec_(codec),
        lists_(lists),
        shared_(shared),
        giants_(GiantTally::giants(lists.counts->giant_tally)),
        tiles_(GiantTally::tiles(lists.counts->giant_tally)),
        share_(tiles_) {}

  __device__ void run() {
    prepare();
    wait_for_all();
    for (unsigned first_pass = 0;; first_pass = kGiantRetryPass) {
      count_and_sort(first_pass);
      if (!kMayLead || first_pass != 0 || __ldcg(&lists_.counts->has_unsettled) == 0) break;
      repair();
      wait_for_all();
      prepare_retry();
      wait_for_all();
      if (__ldcg(&lists_.counts->has_failed) == 0) break;
    }
    copy_home();
  }

 private:
  static constexpr bool kMayLead = kDigits > kGiantLeadingDigits;
  static constexpr unsigned kAllDigits = (1u << kDigits) - 1;
  static constexpr unsigned kBatch = 4;  ///< keys that a thread loads at once

  __device__ void wait_for_all() { wait_for_grid(&lists_.counts->arrived_blocks, ++barriers_); }

  /// Sorts the giants whose passes begin with `first_pass`.
  __device__ void count_and_sort(unsigned first_pass) {
    GiantCounts<Code, kThreads, kCounterBytes>(arrays_.keys, codec_, lists_, reinterpret_cast<unsigned*>(shared_))
        .run(share_, first_pass);
    wait_for_all();
    settle_plans(first_pass);
    wait_for_all();
    const unsigned end = __ldcg(&lists_.counts->passes_end);
    for (unsigned pass = first_pass; pass < end; ++pass) {
      Pass(arrays_, codec_, lists_, pass, *reinterpret_cast<PassShared*>(shared_)).run(tiles_);
      wait_for_all();
    }
  }

  /// Clears counts and words, notes which giant each tile belongs to, and what to count.
  __device__ void prepare() const {
    const std::uint64_t first = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
    const std::uint64_t step = std::uint64_t{gridDim.x} * kThreads;
    for (std::uint64_t i = first; i < std::uint64_t{giants_} * kCounters; i += step) lists_.bins[i] = 0;
    for (std::uint64_t i = first; i < std::uint64_t{tiles_} * kRadixBins; i += step) lists_.status[i] = 0;
    for (unsigned g = blockIdx.x; g < giants_; g += gridDim.x) {
      const Segment segment = lists_.giants[g].segment;
      const auto first_tile = static_cast<unsigned>(lists_.giants[g].first_tile);
      if (threadIdx.x == 0) lists_.bits[g] = {};
      const GiantPlan plan = giant_plan(choose_digits(segment), 0);
      for (unsigned t = threadIdx.x; t < tiles_of_giant(segment.count, Tile::kItems); t += kThreads) {
        const std::uint64_t before = std::uint64_t{t} * Tile::kItems;
        const std::uint64_t left = segment.count - before;
        const auto count = static_cast<unsigned>(left < Tile::kItems ? left : Tile::kItems);
        lists_.tiles[first_tile + t] = {segment.begin + before, count, g, first_tile, t, plan};
      }
    }
  }

  /// The digits of a giant to count, by a sample of its keys.
  __device__ unsigned choose_digits(const Segment& segment) const {
    if constexpr (!kMayLead) return kAllDigits;
    auto& bits = *reinterpret_cast<GiantBits*>(shared_);
    __syncthreads();
    if (threadIdx.x == 0) bits = {};
    __syncthreads();
    const Code code = sample_code(segment);
    leave_bits(code, static_cast<Code>(~code), &bits.ones, &bits.zeros);
    __syncthreads();
    return digits_to_count(varying_digits({0, 8 * sizeof(Code)}, bits.ones, bits.zeros), kDigits);
  }

  /// This thread's key of the sample, which is from places at regular distances.
  __device__ Code sample_code(const Segment& segment) const {
    return codec_.encode(arrays_.keys[segment.begin + segment.count * threadIdx.x / kThreads]);
  }

  /// Turns counts into where bins begin, and chooses the digits to sort by.
  __device__ void settle_plans(unsigned first_pass) const {
    for (unsigned g = blockIdx.x; g < giants_; g += gridDim.x) {
      const GiantPlan counted = lists_.tiles[lists_.giants[g].first_tile].plan;
      if (counted.passes == 0 || counted.first_pass != first_pass) continue;
      for (unsigned i = 0; i < counted.passes; ++i) begin_bins(lists_.bins_of(g, counted.digits[i], kDigits));
      const GiantBits bits{__ldcg(&lists_.bits[g].ones), __ldcg(&lists_.bits[g].zeros)};
      const unsigned varying = varying_digits({0, 8 * sizeof(Code)}, bits.ones, bits.zeros);
      GiantPlan plan = settled_plan(digits_of(counted), varying, first_pass);
      if constexpr (kMayLead) {
        if (plan.below != 0 && has_twins(lists_.giants[g].segment, plan.below)) {
          plan = {};
          plan.is_failed = 1;
        }
      }
      leave_plan(g, plan);
      if (threadIdx.x != 0) continue;
      atomicMax(&lists_.counts->passes_end, std::uint32_t{plan.first_pass} + std::uint32_t{plan.passes});
      if (plan.below != 0 || plan.is_failed != 0) atomicOr(&lists_.counts->has_unsettled, 1u);
    }
  }

  /// Gives the plan to all tiles of a giant. Called by a whole block.
  __device__ void leave_plan(unsigned giant, const GiantPlan& plan) const {
    const auto first_tile = static_cast<unsigned>(lists_.giants[giant].first_tile);
    const std::uint64_t tiles = tiles_of_giant(lists_.giants[giant].segment.count, Tile::kItems);
    for (unsigned t = threadIdx.x; t < tiles; t += kThreads) lists_.tiles[first_tile + t].plan = plan;
  }

  /// Whether two of a sample of keys differ, but only below this bit.
  __device__ bool has_twins(const Segment& segment, unsigned below) const {
    auto* const sample = reinterpret_cast<Code*>(shared_);
    const Code key = sample_code(segment);
    sample[threadIdx.x] = key;
    __syncthreads();
    bool has_twin = false;
    for (unsigned i = 0; i < kThreads; ++i) has_twin |= sample[i] >> below == key >> below && sample[i] != key;
    return __syncthreads_or(has_twin) != 0;
  }

  /// Mends what the leading digits have not told apart.
  __device__ void repair() const {
    for (unsigned tile = share_.begin; tile < share_.end; ++tile) {
      const GiantTileRecord& record = lists_.tiles[tile];
      if (record.plan.below == 0 || mend_tile(record)) continue;
      lists_.tiles[record.first_tile].plan.is_failed = 1;
    }
  }

  /// Returns false if this thread found more than it can mend.
  __device__ bool mend_tile(const GiantTileRecord& tile) const {
    const Segment segment = lists_.giants[tile.giant].segment;
    const GiantRepair<Code, Value> repair(arrays_, codec_, segment, tile.plan.below);
    const std::uint64_t end = tile.begin + tile.count;
    bool is_mended = true;
    for (std::uint64_t first = tile.begin + threadIdx.x; first < end; first += kBatch * kThreads) {
      Code keys[kBatch];
      Code keys_before[kBatch];
#pragma unroll
      for (unsigned k = 0; k < kBatch; ++k) {
        const std::uint64_t i = first + k * kThreads;
        if (i >= end || i == segment.begin) continue;
        keys[k] = arrays_.keys[i];
        keys_before[k] = arrays_.keys[i - 1];
      }
#pragma unroll
      for (unsigned k = 0; k < kBatch; ++k) {
        const std::uint64_t i = first + k * kThreads;
        if (i >= end || i == segment.begin) continue;
        is_mended &= repair.mend(i, codec_.encode(keys_before[k]), codec_.encode(keys[k]));
      }
    }
    return is_mended;
  }

  /// Has all digits counted of the giants for which the leading ones were not enough. The others are sorted.
  __device__ void prepare_retry() const {
    for (unsigned g = blockIdx.x; g < giants_; g += gridDim.x) {
      const GiantPlan plan = lists_.tiles[lists_.giants[g].first_tile].plan;
      __syncthreads();  // all have read it
      if (plan.is_failed != 0) {
        for (unsigned i = threadIdx.x; i < kCounters; i += kThreads) lists_.bins_of(g, 0, kDigits)[i] = 0;
        leave_plan(g, giant_plan(kAllDigits, kGiantRetryPass));
        if (threadIdx.x == 0) atomicOr(&lists_.counts->has_failed, 1u);
      } else if (plan.below != 0) {
        leave_plan(g, {});
      }
    }
  }

  /// Turns the counts of a digit into where its bins begin.
  __device__ void begin_bins(std::uint32_t* bins) const {
    auto* const warp_sums = reinterpret_cast<unsigned*>(shared_);
    const bool has_bin = threadIdx.x < kRadixBins;
    const unsigned own = has_bin ? __ldcg(&bins[threadIdx.x]) : 0;
    const unsigned inclusive = warp_inclusive_sum(own);
    if (threadIdx.x % 32 == 31) warp_sums[threadIdx.x / 32] = inclusive;
    __syncthreads();
    unsigned begin = inclusive - own;
    for (unsigned w = 0; w < threadIdx.x / 32; ++w) begin += warp_sums[w];
    if (has_bin) bins[threadIdx.x] = begin;
    __syncthreads();
  }

  /// Copies the giants whose last pass has left them in the alternate arrays.
  __device__ void copy_home() const {
    for (unsigned tile = share_.begin; tile < share_.end; ++tile) {
      const GiantTileRecord& record = lists_.tiles[tile];
      if (record.plan.passes % 2 == 0) continue;
      const std::uint64_t end = record.begin + record.count;
#pragma unroll 4
      for (std::uint64_t i = record.begin + threadIdx.x; i < end; i += kThreads) {
        arrays_.keys[i] = arrays_.alternate_keys[i];
        if constexpr (kHasValue<Value>) arrays_.values[i] = arrays_.alternate_values[i];
      }
    }
  }

  const RadixArrays<Code, Value>& arrays_;
  const KeyCodec<Code>& codec_;
  const GiantLists& lists_;
  unsigned char* const shared_;
  const unsigned giants_;
  const unsigned tiles_;
  const GiantShare share_;
  unsigned barriers_ = 0;
};

/// To launch as a cooperative grid, with GiantSort::kSharedBytes.
template <class Tile, class Code, class Value>
__global__ void __launch_bounds__(Tile::kTuning.threads, Tile::kTuning.blocks_per_multiprocessor)
    sort_giant_segments_kernel(const __grid_constant__ RadixArrays<Code, Value> arrays,
                               const __grid_constant__ KeyCodec<Code> codec, const __grid_constant__ GiantLists lists) {
  extern __shared__ __align__(16) unsigned char giant_bytes[];
  if (lists.counts->giant_tally == 0 || lists.counts->is_disordered != 0) return;
  GiantSort<Code, Value, Tile>(arrays, codec, lists, giant_bytes).run();
}

}  // namespace sortie::kernels
