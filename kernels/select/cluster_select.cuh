// Selects and sorts few items in one launch of the blocks of one cluster, or of one block. They count the digits of the
// items that may be selected, first those of codes, then those of positions, until few enough are left. These each
// block reads from the others, and ranks its part of them by comparing each with all. No two items are equal, so that
// comes to an end whatever the keys are, and the items may be the whole input: of a sample that misled.
//
//   shared      block 0: counts of its items' digits | block 1: ...      added up by every block
//               block 0: its items that are left     | block 1: ...      and brought together in every block
#pragma once

#include <cstdint>

#include "kernels/common/block_team.cuh"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/common/warp_sums.cuh"
#include "kernels/select/key_units.cuh"
#include "kernels/select/rank_items.cuh"
#include "kernels/select/sample_selection.cuh"

namespace sortie::kernels {

inline constexpr unsigned kTeamDigitBits = 8;
inline constexpr unsigned kTeamBins = 1U << kTeamDigitBits;
inline constexpr unsigned kTeamRounds = 1U << 16;  ///< of for_each_unit(), after which counts of 32 bits still hold

template <class Placed>
struct ClusterSelectShared {
  Placed own[kMostTeamSelected];  ///< of this block's items those that are left
  Placed all[kMostTeamSelected];  ///< of all blocks
  unsigned long long sums[2][kTeamBins];  ///< counts of this block, of two digits in turn
  unsigned bins[kTeamBins];               ///< counts since they were last added to the sums
  unsigned long long of_warps[kTeamBins / 32];
  unsigned long long items_before;  ///< the chosen bin
  unsigned long long items_within;
  unsigned bin;
  unsigned own_count;
};

/// The digit of a code, or of a position.
struct PlacedDigit {
  unsigned shift;
  bool is_of_code;

  template <class Placed>
  __device__ unsigned of(const Placed& item) const {
    return static_cast<unsigned>((is_of_code ? item.code() : item.position()) >> shift) % kTeamBins;
  }
};

/// The items between the least and the greatest that the last selected one can be.
template <class Placed>
struct PlacedRange {
  Placed least = Placed::of(0, 0);
  Placed greatest = Placed::largest();

  __device__ bool has(const Placed& item) const { return !(item < least) && !(greatest < item); }

  /// Keeps those with this digit. Precondition: the digits before it were kept.
  __device__ void keep(const PlacedDigit& digit, unsigned bin) {
    const std::uint64_t bits = std::uint64_t{bin} << digit.shift;
    const std::uint64_t below = (std::uint64_t{1} << digit.shift) - 1;
    if (digit.is_of_code) {
      const std::uint64_t code = least.code() | bits;
      least = Placed::of(code, 0);
      greatest = Placed::of(code | below, Placed::largest().position());
    } else {
      const std::uint64_t position = least.position() | bits;
      greatest = Placed::of(least.code(), position | below);
      least = Placed::of(least.code(), position);
    }
  }
};

template <class Bits, class Codec, class Position, bool kIsCluster>
class ClusterSelect {
 public:
  using Selection = SampleSelection<Bits, Codec, Position>;
  using Placed = typename Selection::Placed;
  using Shared = ClusterSelectShared<Placed>;

  __device__ ClusterSelect(const Selection& selection, Shared& shared) : selection_(selection), shared_(shared) {}

  __device__ void run() {
    if (selection_.filters > 0) {
      const typename Selection::Candidates left = selection_.candidates(selection_.filters - 1);
      if (left.count != 0) return select(left);
    }
    select(selection_.input);
  }

 private:
  static constexpr unsigned kWarps = kSampleSelectThreads / 32;

  template <class Items>
  __device__ void select(const Items& items) {
    if (threadIdx.x == 0) shared_.own_count = 0;
    __syncthreads();
    narrow(items);
    for_each(items, [&](const Placed& item) {
      if (!(range_.greatest < item)) shared_.own[atomicAdd(&shared_.own_count, 1U)] = item;
    });
    team_.sync();
    const unsigned count = bring_together();
    __syncthreads();
    team_.arrive();
    write_by_rank(count);
    __syncwarp();
    team_.wait();  // no block leaves while its items may still be read
  }

  /// Finds a range up to whose end there are few items.
  template <class Items>
  __device__ void narrow(const Items& items) {
    std::uint64_t left = items.size();  // up to the end of the range
    PlacedDigit digit{8 * sizeof(Bits), true};
    for (unsigned turn = 0; left > kMostTeamSelected; turn = 1 - turn) {
      digit = digit.shift > 0 ? PlacedDigit{digit.shift - kTeamDigitBits, digit.is_of_code} : first_of_position();
      count_digits(items, digit, shared_.sums[turn]);
      choose(shared_.sums[turn]);
      range_.keep(digit, shared_.bin);
      before_ += shared_.items_before;
      left = before_ + shared_.items_within;
    }
  }

  __device__ PlacedDigit first_of_position() const {
    const unsigned bits = 64 - __clzll(static_cast<long long>(selection_.input.count - 1));
    return {(bits - 1) / kTeamDigitBits * kTeamDigitBits, false};
  }

  template <class Items>
  __device__ void count_digits(const Items& items, const PlacedDigit& digit, unsigned long long* sums) {
    const auto add_up = [&] {
      if (threadIdx.x < kTeamBins) {
        sums[threadIdx.x] += shared_.bins[threadIdx.x];
        shared_.bins[threadIdx.x] = 0;
      }
    };
    if (threadIdx.x < kTeamBins) sums[threadIdx.x] = shared_.bins[threadIdx.x] = 0;
    __syncthreads();
    const PlacedRange<Placed> range = range_;
    unsigned rounds = 0;
    for_each(
        items,
        [&](const Placed& item) {
          if (range.has(item)) atomicAdd(&shared_.bins[digit.of(item)], 1U);
        },
        [&] {
          if (++rounds % kTeamRounds != 0) return;
          __syncthreads();
          add_up();
          __syncthreads();
        });
    __syncthreads();
    add_up();
    team_.sync();
  }

  /// Finds the bin of the last selected item. Ends with a barrier.
  __device__ void choose(unsigned long long* sums) {
    unsigned long long count = 0;
    unsigned long long inclusive = 0;
    if (threadIdx.x < kTeamBins) {
#pragma unroll
      for (unsigned block = 0; block < kMostTeamBlocks; ++block) {
        if (block < team_.size) count += *team_.shared_of(sums + threadIdx.x, block);
      }
      inclusive = warp_inclusive_sum(count);
      if (threadIdx.x % 32 == 31) shared_.of_warps[threadIdx.x / 32] = inclusive;
    }
    __syncthreads();
    if (threadIdx.x < kTeamBins) {
      unsigned long long before = inclusive - count;
      for (unsigned warp = 0; warp < threadIdx.x / 32; ++warp) before += shared_.of_warps[warp];
      const std::uint64_t rank = selection_.selected_count - before_;
      if (before < rank && rank <= before + count) {
        shared_.bin = threadIdx.x;
        shared_.items_before = before;
        shared_.items_within = count;
      }
    }
    __syncthreads();
  }

  /// Copies the items that are left in all blocks. Returns how many there are.
  __device__ unsigned bring_together() const {
    unsigned begins[kMostTeamBlocks + 1];
    begins[0] = 0;
#pragma unroll
    for (unsigned block = 0; block < kMostTeamBlocks; ++block) {
      begins[block + 1] = begins[block] + (block < team_.size ? *team_.shared_of(&shared_.own_count, block) : 0);
    }
    for (unsigned i = threadIdx.x; i < begins[kMostTeamBlocks]; i += kSampleSelectThreads) {
      unsigned from = 0;
      unsigned begin = 0;
#pragma unroll
      for (unsigned block = 1; block < kMostTeamBlocks; ++block) {
        if (block < team_.size && i >= begins[block]) {
          from = block;
          begin = begins[block];
        }
      }
      shared_.all[i] = team_.shared_of(shared_.own, from)[i - begin];
    }
    return begins[kMostTeamBlocks];
  }

  /// Each warp ranks items of its own among all.
  __device__ void write_by_rank(unsigned count) const {
    for (unsigned i = team_.rank * kWarps + threadIdx.x / 32; i < count; i += team_.size * kWarps) {
      const Placed item = shared_.all[i];
      unsigned before = 0;
      for (unsigned other = threadIdx.x % 32; other < count; other += 32) before += shared_.all[other] < item ? 1 : 0;
      const unsigned rank = sum_of_lanes(before);
      if (threadIdx.x % 32 == 0 && rank < selection_.selected_count) selection_.write_selected(rank, item);
    }
  }

  /// Calls use(item) for the items of this block's part, and after_round() as for_each_unit() does.
  template <class Use, class AfterRound>
  __device__ void for_each(const InputItems<Bits, Codec, Position>& input, const Use& use,
                           const AfterRound& after_round) const {
    for_each_unit(
        input.keys.keys, input.count, part(), [&](std::uint64_t i) { use(input[i]); },
        [&](const uint4& unit, std::uint64_t first) {
          Bits keys[KeyUnits<Bits>::kKeys];
          memcpy(keys, &unit, sizeof unit);
#pragma unroll
          for (unsigned k = 0; k < KeyUnits<Bits>::kKeys; ++k) {
            use(Placed::of(input.keys.codec.encode(keys[k]), first + k));
          }
        },
        after_round);
  }
  template <class Use, class AfterRound>
  __device__ void for_each(const CandidateItems<Placed>& items, const Use& use, const AfterRound& after_round) const {
    constexpr unsigned kItems = 4;
    const std::uint64_t row = std::uint64_t{team_.size} * kSampleSelectThreads;
    const std::uint64_t own = team_.rank * kSampleSelectThreads + threadIdx.x;
    for (std::uint64_t first = 0; first < items.size(); first += kItems * row) {
      Placed placed[kItems];
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        if (first + k * row + own < items.size()) placed[k] = items[first + k * row + own];
      }
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        if (first + k * row + own < items.size()) use(placed[k]);
      }
      after_round();
    }
  }
  template <class Items, class Use>
  __device__ void for_each(const Items& items, const Use& use) const {
    for_each(items, use, [] {});
  }

  __device__ BlockPart part() const { return {team_.rank, team_.size}; }

  const Selection& selection_;
  Shared& shared_;
  const BlockTeam<kIsCluster> team_;
  PlacedRange<Placed> range_;
  std::uint64_t before_ = 0;  ///< items before the range
};

template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kSampleSelectThreads)
    cluster_select_kernel(const __grid_constant__ SampleSelection<Bits, Codec, Position> selection) {
  __shared__ ClusterSelectShared<PlacedCode<Bits, Position>> shared;
  await_launch_before();
#if __CUDA_ARCH__ >= 900
  if (gridDim.x > 1) {
    ClusterSelect<Bits, Codec, Position, true>(selection, shared).run();
    return;
  }
#endif
  ClusterSelect<Bits, Codec, Position, false>(selection, shared).run();
}

}  // namespace sortie::kernels
