// A radix sort of as many items as the blocks of a cluster hold: they read them once, sort them by digit after digit in
// registers and shared memory, and write them once. One launch, without scratch. One block needs no cluster; clusters
// need compute capability 9.0. Where keys have many digits, the four leading ones are tried first: they mostly tell
// few items apart. Where they leave two items untold, these are put in order then; where they leave more, a sort by all
// digits follows. Few digits, as those of short keys, are all taken at once.
//
//   registers   block 0: items in their order        | block 1: ...
//   counts      of every block's bins, in each block: where the bins begin, and each block's part of them
//   shared      block 0: the first items of the new order | block 1: the next ...      and back to registers
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/common/block_team.cuh"
#include "kernels/radix/radix_cluster_shape.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"
#include "kernels/radix/radix_sample.cuh"
#include "kernels/radix/warp_rank.cuh"

namespace sortie::kernels {

/// Sorts the primary arrays of `from` to those of `to`, which may be the same.
template <class Key, class Value, class Codec, class Tile, bool kIsCluster>
class RadixClusterSort {
 public:
  using Shared = RadixClusterShared<Key, Value, Tile>;

  __device__ RadixClusterSort(const RadixArrays<Key, Value>& from, const RadixArrays<Key, Value>& to,
                              const Codec& codec, unsigned count, BitRange bits, Shared& shared)
      : from_(from), to_(to), codec_(codec), count_(count), bits_(bits), shared_(shared) {}

  __device__ void run() {
    team_.arrive();
    load();
    if constexpr (kTakesAllDigits<Key>) {
      team_.wait();
      sort_by_digits(~0u);
    } else {
      if (!sort_by_what_varies() && from_.keys == to_.keys) return;
    }
    store();
  }

 private:
  using Moved = MovedWithKey<Value>;
  static constexpr bool kGathersValues = !std::is_same_v<Moved, Value>;
  static constexpr unsigned kTile = Tile::kItems;
  static constexpr unsigned kItems = Tile::kItemsOfThread;

  /// Returns false if the items are in order already. Few digits are taken without a look at the items.
  __device__ bool sort_by_what_varies() {
    unsigned digits = ~0u;
    unsigned leading = digits;
    if (takes_all_digits<Key>(count_, bits_)) {
      team_.wait();
    } else {
      const RadixFindings found = find();
      if (!found.has_descent) return false;
      digits = varying_digits(bits_, found.ones, found.zeros);
      leading = found.has_twins ? digits : highest_bits(digits, kUsualPasses);
    }
    sort_by_digits(leading);
    if (leading != digits && !mend(lowest_bit(leading) * kDigitBits)) sort_by_digits(digits);
    return true;
  }

  /// Where item k of this thread is in the block.
  __device__ unsigned place(unsigned k) const { return warp_ * 32 * kItems + 32 * k + lane_; }
  __device__ unsigned index(unsigned k) const { return team_.rank * kTile + place(k); }

  /// Items past the end get the highest code, so that they rank last.
  __device__ void load() {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      const bool is_item = index(k) < count_;
      keys_[k] = is_item ? codec_.encode(from_.keys[index(k)]) : static_cast<Key>(~Key{0});
      if constexpr (kGathersValues) {
        values_[k] = index(k);
      } else if constexpr (kHasValue<Value>) {
        values_[k] = is_item ? from_.values[index(k)] : Value{};
      }
    }
  }

  __device__ Key ordered(Key key) const { return ordered_bits(bits_, key); }

  __device__ RadixFindings find() {
    std::uint64_t ones = 0;
    std::uint64_t zeros = 0;
    bool has_descent = false;
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (index(k) >= count_) break;
      ones |= keys_[k];
      zeros |= static_cast<Key>(~keys_[k]);
      if (index(k) > 0) has_descent |= ordered(keys_[k]) < ordered(codec_.encode(from_.keys[index(k) - 1]));
    }
    ones = warp_or(ones);
    zeros = warp_or(zeros);
    if (lane_ == 0) {
      shared_.warp_ones[warp_] = ones;
      shared_.warp_zeros[warp_] = zeros;
    }
    team_.wait();
    return shared_with_all(has_descent, has_twins());
  }

  /// Whether two of the block's first items differ, but not in the leading half of their bits. Keys of few digits have
  /// no use for it.
  __device__ bool has_twins() const {
    if (warp_ > 0 || radix_digit_count(bits_) <= kUsualPasses) return false;
    const std::uint64_t key = ordered(keys_[0]);
    const unsigned items = __ballot_sync(~0u, index(0) < count_);
    const unsigned alike = __match_any_sync(~0u, key >> (bits_.end - bits_.begin) / 2) & items;
    const std::uint64_t first = __shfl_sync(~0u, key, alike == 0 ? 0 : __ffs(static_cast<int>(alike)) - 1);
    return index(0) < count_ && key != first;
  }

  /// After a sort by the bits that matter but for the lowest `below`: swaps two items that these do not tell apart, if
  /// that puts them in order. Returns false if more is to be done, in some block. Threads read keys that others swap:
  /// of a pair that is swapped both have the same leading bits, which is all that they look at.
  __device__ bool mend(unsigned below) {
    __syncthreads();
    bool is_left = false;
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      const unsigned at = place(k);
      if (index(k) == 0) continue;
      const Key before = at > 0 ? shared_.keys[at - 1] : team_.shared_of(&shared_, team_.rank - 1)->keys[kTile - 1];
      if (ordered(keys_[k]) >= ordered(before)) continue;
      const auto is_alike = [&](unsigned other) {
        return ordered(shared_.keys[other]) >> below == ordered(keys_[k]) >> below;
      };
      if (at < 2 || at + 1 == kTile || is_alike(at - 2) || is_alike(at + 1)) {
        is_left = true;
        continue;
      }
      shared_.keys[at] = before;
      shared_.keys[at - 1] = keys_[k];
      if constexpr (kHasValue<Value>) {
        shared_.values[at] = shared_.values[at - 1];
        shared_.values[at - 1] = values_[k];
      }
    }
    is_left = shared_with_all(is_left, false).has_descent;
    take_back();
    return !is_left;
  }

  /// What all blocks have found. `has_descent`, `has_twins`: whether this thread has found any.
  __device__ RadixFindings shared_with_all(bool has_descent, bool has_twins) {
    const bool block_has_descent = __syncthreads_or(has_descent) != 0;
    const bool block_has_twins = __syncthreads_or(has_twins) != 0;
    if (threadIdx.x < 32) {
      const bool is_warp = threadIdx.x < Shared::kWarps;
      const std::uint64_t ones = warp_or(is_warp ? shared_.warp_ones[threadIdx.x] : 0);
      const std::uint64_t zeros = warp_or(is_warp ? shared_.warp_zeros[threadIdx.x] : 0);
      const RadixFindings found{ones, zeros, block_has_descent, block_has_twins};
      if (threadIdx.x < team_.size) *team_.shared_of(&shared_.findings[team_.rank], threadIdx.x) = found;
    }
    team_.sync();
    RadixFindings all{};
    for (unsigned block = 0; block < team_.size; ++block) {
      all.ones |= shared_.findings[block].ones;
      all.zeros |= shared_.findings[block].zeros;
      all.has_descent |= shared_.findings[block].has_descent;
      all.has_twins |= shared_.findings[block].has_twins;
    }
    return all;
  }

  __device__ void sort_by_digits(unsigned digits) {
    for (unsigned i = 0; i < radix_digit_count(bits_); ++i) {
      if ((digits >> i & 1) != 0) sort_by(radix_digit(bits_, i));
    }
  }

  __device__ void sort_by(RadixDigit digit) {
    for (unsigned bin = lane_; bin < kRadixBins; bin += 32) shared_.warp_counts[warp_][bin] = 0;
    __syncwarp();
    unsigned ranks[kItems];
    rank_in_warp<kItems>(keys_, digit, shared_.warp_counts[warp_], ranks);
    __syncthreads();
    share_counts();
    if constexpr (kIsCluster) team_.sync();  // a single block's counts are read by the threads that have made them
    place_bins();
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      const unsigned to = ranks[k] + shared_.warp_counts[warp_][digit.of(keys_[k])];
      Shared* const block = team_.shared_of(&shared_, to / kTile);
      block->keys[to % kTile] = keys_[k];
      if constexpr (kHasValue<Value>) block->values[to % kTile] = values_[k];
    }
    team_.sync();
    take_back();
  }

  __device__ void take_back() {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      keys_[k] = shared_.keys[place(k)];
      if constexpr (kHasValue<Value>) values_[k] = shared_.values[place(k)];
    }
  }

  /// Thread b gives all blocks this one's count of bin b, and turns the warps' counts into sums of those before them.
  __device__ void share_counts() {
    if (threadIdx.x >= kRadixBins) return;
    unsigned count = 0;
#pragma unroll
    for (unsigned w = 0; w < Shared::kWarps; ++w) {
      const unsigned count_of_warp = shared_.warp_counts[w][threadIdx.x];
      shared_.warp_counts[w][threadIdx.x] = count;
      count += count_of_warp;
    }
    for (unsigned block = 0; block < team_.size; ++block) {
      team_.shared_of(&shared_, block)->block_counts[team_.rank][threadIdx.x] = count;
    }
  }

  /// Thread b adds to the warps' sums where this block's part of bin b begins.
  __device__ void place_bins() {
    unsigned before = 0;
    unsigned count = 0;
    unsigned inclusive = 0;
    if (threadIdx.x < kRadixBins) {
      for (unsigned block = 0; block < team_.size; ++block) {
        if (block == team_.rank) before = count;
        count += shared_.block_counts[block][threadIdx.x];
      }
      inclusive = warp_inclusive_sum(count);
      if (lane_ == 31) shared_.scan_sums[warp_] = inclusive;
    }
    __syncthreads();
    if (threadIdx.x < kRadixBins) {
      unsigned begin = inclusive - count + before;
      for (unsigned w = 0; w < warp_; ++w) begin += shared_.scan_sums[w];
#pragma unroll
      for (unsigned w = 0; w < Shared::kWarps; ++w) shared_.warp_counts[w][threadIdx.x] += begin;
    }
    __syncthreads();
  }

  __device__ void store() const {
    Value gathered[kGathersValues ? kItems : 1];
    if constexpr (kGathersValues) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        if (index(k) < count_) gathered[k] = from_.values[values_[k]];
      }
      team_.sync();  // the arrays may be the same
    }
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (index(k) >= count_) break;
      to_.keys[index(k)] = codec_.decode(keys_[k]);
      if constexpr (kGathersValues) {
        to_.values[index(k)] = gathered[k];
      } else if constexpr (kHasValue<Value>) {
        to_.values[index(k)] = values_[k];
      }
    }
  }

  const RadixArrays<Key, Value>& from_;
  const RadixArrays<Key, Value>& to_;
  const Codec& codec_;
  const unsigned count_;
  const BitRange bits_;
  Shared& shared_;
  const BlockTeam<kIsCluster> team_;
  const unsigned warp_ = threadIdx.x / 32;
  const unsigned lane_ = threadIdx.x % 32;
  Key keys_[kItems];
  Moved values_[kHasValue<Value> ? kItems : 1];
};

template <class Key, class Value, class Codec, class Tile>
__global__ void __launch_bounds__(Tile::kThreads)
    radix_cluster_kernel(const __grid_constant__ RadixArrays<Key, Value> arrays, const __grid_constant__ Codec codec,
                         unsigned count, BitRange bits) {
  extern __shared__ __align__(16) unsigned char cluster_bytes[];
  auto& shared = *reinterpret_cast<RadixClusterShared<Key, Value, Tile>*>(cluster_bytes);
#if __CUDA_ARCH__ >= 900
  if (gridDim.x > 1) {
    RadixClusterSort<Key, Value, Codec, Tile, true>(arrays, arrays, codec, count, bits, shared).run();
    return;
  }
#endif
  RadixClusterSort<Key, Value, Codec, Tile, false>(arrays, arrays, codec, count, bits, shared).run();
}

}  // namespace sortie::kernels
