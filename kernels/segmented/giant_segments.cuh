// The last kernel of the segmented sort: all blocks together sort the segments that no block can hold. The host does
// not know whether there are any, so it is one launch with barriers of the whole grid between its steps, and not a
// launch a step. All giants take each step together.
#pragma once

#include <cstdint>

#include <cuda/atomic>

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

/// A block's share of all tiles, the same in every step but the passes.
struct GiantShare {
  unsigned begin;
  unsigned end;

  __device__ explicit GiantShare(unsigned tile_count)
      : begin(static_cast<unsigned>(std::uint64_t{tile_count} * blockIdx.x / gridDim.x)),
        end(static_cast<unsigned>(std::uint64_t{tile_count} * (blockIdx.x + 1) / gridDim.x)) {}
};

/// The steps around the passes.
template <class Code, class Value, class Tile>
class GiantSort {
 public:
  using Pass = GiantPass<Code, Value, Tile>;
  using PassShared = typename Pass::Shared;

  static constexpr unsigned kDigits = sizeof(Code);
  static constexpr unsigned kCounters = kDigits * kRadixBins;
  static constexpr unsigned kThreads = Tile::kTuning.threads;
  /// Lanes of a warp count in columns of their own, as far as there is room: keys that are alike wait less.
  static constexpr unsigned kCounterBytes = Tile::kItems == kSmallestRadixTile ? 32 * 1024 : 64 * 1024;
  static constexpr unsigned kColumns = kCounterBytes / (kCounters * sizeof(unsigned));
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
    count_digits();
    wait_for_all();
    make_plans();
    wait_for_all();
    sort_by_passes(0);
    if constexpr (kMayLead) {
      if (__ldcg(&lists_.counts->has_leading) != 0) {
        repair();
        wait_for_all();
        plan_all_digits();
        wait_for_all();
        sort_by_passes(kGiantRetryPass);
      }
    }
    copy_home();
  }

 private:
  static constexpr bool kMayLead = kDigits > kGiantLeadingDigits;
  static constexpr unsigned kBatch = 4;  ///< keys that a thread loads at once

  __device__ void wait_for_all() { wait_for_grid(&lists_.counts->arrived_blocks, ++barriers_); }

  /// Makes the passes from `first` on.
  __device__ void sort_by_passes(unsigned first) {
    const unsigned end = __ldcg(&lists_.counts->passes_end);
    for (unsigned pass = first; pass < end; ++pass) {
      Pass(arrays_, codec_, lists_, pass, *reinterpret_cast<PassShared*>(shared_)).run(tiles_);
      wait_for_all();
    }
  }

  /// Clears counts and words, and notes which giant each tile belongs to.
  __device__ void prepare() const {
    const std::uint64_t first = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
    const std::uint64_t step = std::uint64_t{gridDim.x} * kThreads;
    for (std::uint64_t i = first; i < std::uint64_t{giants_} * kCounters; i += step) lists_.bins[i] = 0;
    for (std::uint64_t i = first; i < std::uint64_t{tiles_} * kRadixBins; i += step) lists_.status[i] = 0;
    for (unsigned g = blockIdx.x; g < giants_; g += gridDim.x) {
      const Segment segment = lists_.giants[g].segment;
      const auto first_tile = static_cast<unsigned>(lists_.giants[g].first_tile);
      for (unsigned t = threadIdx.x; t < tiles_of_giant(segment.count, Tile::kItems); t += kThreads) {
        const std::uint64_t before = std::uint64_t{t} * Tile::kItems;
        const std::uint64_t left = segment.count - before;
        const auto count = static_cast<unsigned>(left < Tile::kItems ? left : Tile::kItems);
        lists_.tiles[first_tile + t] = {segment.begin + before, count, g, first_tile, t, {}};
      }
    }
  }

  /// Adds the digits of the block's share of tiles to the counts of their giants.
  __device__ void count_digits() const {
    auto* const counters = reinterpret_cast<unsigned*>(shared_);
    for (unsigned i = threadIdx.x; i < kCounters * kColumns; i += kThreads) counters[i] = 0;
    __syncthreads();
    for (unsigned tile = share_.begin; tile < share_.end; ++tile) {
      const unsigned giant = lists_.tiles[tile].giant;
      count_tile(lists_.tiles[tile], counters);
      if (tile + 1 < share_.end && lists_.tiles[tile + 1].giant == giant) continue;
      __syncthreads();
      for (unsigned i = threadIdx.x; i < kCounters; i += kThreads) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned column = 0; column < kColumns; ++column) {
          sum += counters[i * kColumns + column];
          counters[i * kColumns + column] = 0;
        }
        if (sum != 0) atomicAdd(&lists_.bins[std::uint64_t{giant} * kCounters + i], sum);
      }
      __syncthreads();
    }
  }

  __device__ void count_tile(const GiantTileRecord& tile, unsigned* counters) const {
    const unsigned column = threadIdx.x % kColumns;
    const Code* const tile_keys = arrays_.keys + tile.begin;
    const unsigned count = tile.count;
    for (unsigned first = threadIdx.x; first < count; first += kBatch * kThreads) {
      Code keys[kBatch];
#pragma unroll
      for (unsigned i = 0; i < kBatch; ++i) {
        if (first + i * kThreads < count) keys[i] = tile_keys[first + i * kThreads];
      }
#pragma unroll
      for (unsigned i = 0; i < kBatch; ++i) {
        if (first + i * kThreads >= count) break;
        const Code code = codec_.encode(keys[i]);
#pragma unroll
        for (unsigned digit = 0; digit < kDigits; ++digit) {
          const unsigned bin = static_cast<unsigned>(code >> (digit * kDigitBits)) % kRadixBins;
          atomicAdd(&counters[(digit * kRadixBins + bin) * kColumns + column], 1u);
        }
      }
    }
  }

  /// Turns counts into where bins begin, and chooses the digits to sort by.
  __device__ void make_plans() const {
    auto* const warp_sums = reinterpret_cast<unsigned*>(shared_);
    for (unsigned g = blockIdx.x; g < giants_; g += gridDim.x) {
      const Segment segment = lists_.giants[g].segment;
      unsigned varying = 0;
      for (unsigned digit = 0; digit < kDigits; ++digit) {
        std::uint32_t* const bins = lists_.bins + (std::uint64_t{g} * kDigits + digit) * kRadixBins;
        if (begin_bins(bins, segment.count, warp_sums)) varying |= 1u << digit;
      }
      GiantPlan plan = giant_plan(varying, varying, 0);
      if constexpr (kMayLead) {
        const GiantPlan leading = giant_plan(varying, highest_bits(varying, kGiantLeadingDigits), 0);
        if (leading.below != 0 && !has_twins(segment, leading.below)) plan = leading;
      }
      leave_plan(g, plan);
      if (plan.below != 0 && threadIdx.x == 0) atomicOr(&lists_.counts->has_leading, 1u);
    }
  }

  /// Gives the plan to all tiles of a giant. Called by a whole block.
  __device__ void leave_plan(unsigned giant, const GiantPlan& plan) const {
    const auto first_tile = static_cast<unsigned>(lists_.giants[giant].first_tile);
    const std::uint64_t tiles = tiles_of_giant(lists_.giants[giant].segment.count, Tile::kItems);
    for (unsigned t = threadIdx.x; t < tiles; t += kThreads) lists_.tiles[first_tile + t].plan = plan;
    if (threadIdx.x == 0) {
      atomicMax(&lists_.counts->passes_end, std::uint32_t{plan.first_pass} + std::uint32_t{plan.passes});
    }
  }

  /// Whether two of a sample of keys differ, but only below this bit.
  __device__ bool has_twins(const Segment& segment, unsigned below) const {
    auto* const sample = reinterpret_cast<Code*>(shared_);
    const Code key = codec_.encode(arrays_.keys[segment.begin + segment.count * threadIdx.x / kThreads]);
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

  /// Has the giants sorted by all digits that the repair has given up.
  __device__ void plan_all_digits() const {
    for (unsigned g = blockIdx.x; g < giants_; g += gridDim.x) {
      const GiantPlan plan = lists_.tiles[lists_.giants[g].first_tile].plan;
      __syncthreads();  // all have read it
      if (plan.below == 0) continue;
      const unsigned digits = plan.is_failed != 0 ? plan.varying : 0;
      leave_plan(g, giant_plan(digits, digits, kGiantRetryPass));
    }
  }

  /// Returns whether the items are in more than one bin.
  __device__ bool begin_bins(std::uint32_t* bins, std::uint64_t count, unsigned* warp_sums) const {
    const bool has_bin = threadIdx.x < kRadixBins;
    const unsigned own = has_bin ? __ldcg(&bins[threadIdx.x]) : 0;
    const unsigned inclusive = warp_inclusive_sum(own);
    if (threadIdx.x % 32 == 31) warp_sums[threadIdx.x / 32] = inclusive;
    const bool varies = __syncthreads_or(has_bin && own == count) == 0;
    unsigned begin = inclusive - own;
    for (unsigned w = 0; w < threadIdx.x / 32; ++w) begin += warp_sums[w];
    if (has_bin) bins[threadIdx.x] = begin;
    __syncthreads();
    return varies;
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
  if (lists.counts->giant_tally == 0) return;
  GiantSort<Code, Value, Tile>(arrays, codec, lists, giant_bytes).run();
}

}  // namespace sortie::kernels
