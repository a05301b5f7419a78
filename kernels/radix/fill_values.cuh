// The second half of a counting sort of short keys: writes each value as often as it was counted (value_counts.cuh).
// In a tile of the output, every value that occurs in it is noted where its first key goes. All other keys are the last
// one that is noted before them.
//
//   counts | 0: 3 | 1: 1 | 2: 0 | 3: 4
//   noted  | 0 . . | 1 | 3 . . .
//   keys   | 0 0 0 | 1 | 3 3 3 3
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/value_counts.cuh"

namespace sortie::kernels {

inline constexpr unsigned kFillThreads = 512;
inline constexpr unsigned kFillVectors = 4;  ///< of 16 bytes, per thread and tile
inline constexpr unsigned kFillBlocks = 4;   ///< per multiprocessor

/// The keys of a tile.
template <ShortKey Key>
inline constexpr std::uint64_t kFillTile = kFillThreads* kFillVectors*(16 / sizeof(Key));

template <ShortKey Key>
struct FillShared {
  uint4 vectors[kFillThreads * kFillVectors];  ///< what is noted of the tile, zero elsewhere
  std::uint64_t group_begins[kValueGroups + 1];
  std::uint64_t scan_sums[kValueGroups / 32];
  unsigned first_group;  ///< of the tile
  unsigned last_group;
  unsigned warp_last[kFillThreads / 32];  ///< the last value noted in each warp's part
};

template <ShortKey Key, class Lanes>
class ValueFill {
 public:
  __device__ ValueFill(Key* keys, std::uint64_t count, const ValueCounts& counts, const Lanes& lanes,
                       FillShared<Key>& shared)
      : keys_(keys), count_(count), counts_(counts), lanes_(lanes), shared_(shared) {}

  /// Called once, before any tile. Ends with a barrier.
  __device__ void begin_groups() {
    const unsigned group = threadIdx.x;
    std::uint64_t inclusive = 0;
    if (group < kValueGroups) {
      inclusive = warp_inclusive_sum(std::uint64_t{counts_.groups[group]});
      if (lane_ == 31) shared_.scan_sums[warp_] = inclusive;
    }
    __syncthreads();
    if (group < kValueGroups) {
      for (unsigned w = 0; w < warp_; ++w) inclusive += shared_.scan_sums[w];
      shared_.group_begins[group + 1] = inclusive;
      if (group == 0) shared_.group_begins[0] = 0;
    }
    __syncthreads();
  }

  __device__ void fill_tile(std::uint64_t begin) {
    begin_ = begin;
    end_ = min(begin + kFillTile<Key>, count_);
#pragma unroll
    for (unsigned k = 0; k < kFillVectors; ++k) shared_.vectors[vector(k)] = uint4{};
    find_groups();
    __syncthreads();
    if constexpr (sizeof(Key) == 1) {
      note_groups();
    } else {
      note_values();
    }
    __syncthreads();
    fill_between();
  }

 private:
  static constexpr unsigned kVectorKeys = 16 / sizeof(Key);
  static constexpr unsigned kWarps = kFillThreads / 32;

  /// Vector k of this thread in the tile. A warp's vectors lie side by side.
  __device__ unsigned vector(unsigned k) const { return (warp_ * kFillVectors + k) * 32 + lane_; }

  __device__ void find_groups() {
    if (threadIdx.x >= kValueGroups) return;
    const std::uint64_t group_begin = shared_.group_begins[threadIdx.x];
    const std::uint64_t group_end = shared_.group_begins[threadIdx.x + 1];
    if (group_begin <= begin_ && begin_ < group_end) shared_.first_group = threadIdx.x;
    if (group_begin < end_ && end_ <= group_end) shared_.last_group = threadIdx.x;
  }

  /// `begin`: where the keys of `value` begin in the output; there are some, and they end behind the tile's beginning.
  __device__ void note(std::uint64_t begin, unsigned value) {
    reinterpret_cast<Key*>(shared_.vectors)[max(begin, begin_) - begin_] = static_cast<Key>(value);
  }

  __device__ void note_groups() {
    for (unsigned g = shared_.first_group + threadIdx.x; g <= shared_.last_group; g += kFillThreads) {
      if (shared_.group_begins[g] < shared_.group_begins[g + 1]) note(shared_.group_begins[g], g);
    }
  }

  /// A warp notes the values of a group; a lane, those of its part.
  __device__ void note_values() {
    constexpr unsigned kLaneValues = kGroupValues / 32;
    for (unsigned g = shared_.first_group + warp_; g <= shared_.last_group; g += kWarps) {
      if (shared_.group_begins[g] == shared_.group_begins[g + 1]) continue;
      const unsigned first = g * kGroupValues + lane_ * kLaneValues;
      std::uint64_t counts[kLaneValues];
      std::uint64_t sum = 0;
#pragma unroll
      for (unsigned i = 0; i < kLaneValues; ++i) {
        counts[i] = counts_.values[first + i];
        sum += counts[i];
      }
      std::uint64_t begin = shared_.group_begins[g] + warp_inclusive_sum(sum) - sum;
#pragma unroll
      for (unsigned i = 0; i < kLaneValues; ++i) {
        const std::uint64_t end = begin + counts[i];
        if (counts[i] != 0 && end > begin_ && begin < end_) note(begin, first + i);
        begin = end;
      }
    }
  }

  /// Noted values ascend, so that the last one is the largest.
  __device__ void fill_between() {
    unsigned before[kFillVectors];  ///< the last value noted before each vector, in this warp's part
    unsigned last = 0;
#pragma unroll
    for (unsigned k = 0; k < kFillVectors; ++k) {
      const unsigned inclusive = warp_inclusive_max(last_noted(shared_.vectors[vector(k)], 0));
      const unsigned left = __shfl_up_sync(~0u, inclusive, 1);
      before[k] = max(last, lane_ == 0 ? 0 : left);
      last = max(last, __shfl_sync(~0u, inclusive, 31));
    }
    if (lane_ == 0) shared_.warp_last[warp_] = last;
    __syncthreads();
    unsigned before_warp = 0;
    for (unsigned w = 0; w < warp_; ++w) before_warp = max(before_warp, shared_.warp_last[w]);
#pragma unroll
    for (unsigned k = 0; k < kFillVectors; ++k) {
      uint4 filled = shared_.vectors[vector(k)];
      fill_vector(filled, max(before[k], before_warp));
      store(vector(k), decoded(filled, lanes_));
    }
  }

  __device__ static unsigned last_noted(const uint4& noted, unsigned before) {
    Key lanes[kVectorKeys];
    memcpy(lanes, &noted, sizeof lanes);
    unsigned last = before;
#pragma unroll
    for (const Key lane : lanes) last = max(last, static_cast<unsigned>(lane));
    return last;
  }

  __device__ static void fill_vector(uint4& noted, unsigned before) {
    if ((noted.x | noted.y | noted.z | noted.w) == 0) {
      const unsigned word = before * (sizeof(Key) == 1 ? 0x01010101u : 0x00010001u);
      noted = {word, word, word, word};
      return;
    }
    Key lanes[kVectorKeys];
    memcpy(lanes, &noted, sizeof lanes);
#pragma unroll
    for (Key& lane : lanes) {
      before = max(before, static_cast<unsigned>(lane));
      lane = static_cast<Key>(before);
    }
    memcpy(&noted, lanes, sizeof lanes);
  }

  __device__ static unsigned warp_inclusive_max(unsigned value) {
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) value = max(value, __shfl_up_sync(~0u, value, step));
    return value;
  }

  __device__ void store(unsigned vector_of_tile, const uint4& filled) {
    const std::uint64_t at = begin_ / kVectorKeys + vector_of_tile;
    if ((at + 1) * kVectorKeys <= count_) {
      reinterpret_cast<uint4*>(keys_)[at] = filled;
      return;
    }
    Key lanes[kVectorKeys];
    memcpy(lanes, &filled, sizeof lanes);
#pragma unroll
    for (unsigned i = 0; i < kVectorKeys; ++i) {
      if (at * kVectorKeys + i < count_) keys_[at * kVectorKeys + i] = lanes[i];
    }
  }

  Key* const keys_;
  const std::uint64_t count_;
  const ValueCounts counts_;
  const Lanes lanes_;
  FillShared<Key>& shared_;
  const unsigned warp_ = threadIdx.x / 32;
  const unsigned lane_ = threadIdx.x % 32;
  std::uint64_t begin_ = 0;  ///< of the tile
  std::uint64_t end_ = 0;
};

/// `lanes` as in count_values_kernel().
template <ShortKey Key, class Lanes>
__global__ void __launch_bounds__(kFillThreads)
    fill_values_kernel(Key* keys, std::uint64_t count, ValueCounts counts, Lanes lanes) {
  __shared__ FillShared<Key> shared;
  await_launch_before();
  ValueFill<Key, Lanes> fill(keys, count, counts, lanes, shared);
  fill.begin_groups();
  for (std::uint64_t begin = blockIdx.x * kFillTile<Key>; begin < count; begin += gridDim.x * kFillTile<Key>) {
    fill.fill_tile(begin);
  }
}

}  // namespace sortie::kernels
