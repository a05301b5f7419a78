// A thread's part of a tile of which one item of each row of equal keys is kept: which of its keys those are, and their
// places among what the tile keeps. Warps read vectors of 16 bytes side by side:
//
//   warp 0, vector 0        warp 0, vector 1               warp 1, vector 0
//   lane 0 | lane 1 | ...   lane 0 | lane 1 | ...   ...    lane 0 | lane 1 | ...
//
// Tiles begin at multiples of 16 bytes in memory. Items are numbered from there: the first of a list may be item 3.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/common/warp_sums.cuh"

namespace sortie::kernels {

/// The threads of a block, and how many vectors of 16 bytes each of them reads; whether blocks take tile after tile.
template <unsigned kThreadCount, unsigned kVectorCount, unsigned kBlockCount, bool kStay = false>
struct DistinctShape {
  static constexpr bool kStays = kStay;
  static constexpr unsigned kThreads = kThreadCount;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr unsigned kVectors = kVectorCount;
  static constexpr unsigned kBlocks = kBlockCount;  ///< per multiprocessor, at least
};

/// Keys of a list, numbered from a multiple of 16 bytes on: items [begin, end) are there.
template <class Bits>
struct NumberedKeys {
  const Bits* keys;
  std::uint64_t begin;
  std::uint64_t end;

  /// The item at the address `keys`, or the ones before it at the nearest multiple of 16 bytes, is item 0.
  static NumberedKeys from(const Bits* keys, std::uint64_t count) {
    const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(keys) % 16 / sizeof(Bits);
    return {keys - begin, begin, begin + count};
  }

  __device__ bool has(std::uint64_t i) const { return i >= begin && i < end; }
};

template <class Bits>
__device__ Bits shuffled(Bits value, unsigned lane) {
  if constexpr (sizeof(Bits) < 4) {
    return static_cast<Bits>(__shfl_sync(~0u, static_cast<unsigned>(value), lane));
  } else {
    return __shfl_sync(~0u, value, lane);
  }
}

template <class Bits, unsigned kVectors, bool kKeepsLast>
class DistinctShare {
 public:
  static constexpr unsigned kPerVector = 16 / sizeof(Bits);
  static constexpr unsigned kItems = kVectors * kPerVector;
  static constexpr unsigned kWarpItems = 32 * kItems;
  static_assert(kItems <= 32);

  /// `first`: the warp's first item.
  __device__ explicit DistinctShare(std::uint64_t first) : first_(first), lane_(threadIdx.x % 32) {}

  /// Reads the keys of a tile that is there as a whole.
  __device__ void load(const NumberedKeys<Bits>& list) {
    const auto* const from = reinterpret_cast<const uint4*>(list.keys + first_) + lane_;
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      const uint4 vector = from[v * 32];
      memcpy(keys_[v], &vector, sizeof vector);
    }
  }

  /// Reads as many of the keys as are there.
  __device__ void load_some(const NumberedKeys<Bits>& list) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
#pragma unroll
      for (unsigned k = 0; k < kPerVector; ++k) {
        const std::uint64_t i = number(v, k);
        keys_[v][k] = list.has(i) ? list.keys[i] : 0;
      }
    }
  }

  /// Reads the key next to the warp's, in front of the first or behind the last.
  __device__ void load_neighbour(const NumberedKeys<Bits>& list) {
    const std::uint64_t i = kKeepsLast ? first_ + kWarpItems : first_ - 1;
    neighbour_ = lane_ == kEdgeLane && list.has(i) ? list.keys[i] : 0;
  }

  /// Finds the items to keep: keys are equal if what `same` makes of their bits is.
  template <class Same>
  __device__ void compare(const Same& same) {
    const unsigned source = (lane_ + (kKeepsLast ? 1 : 31)) % 32;
    kept_ = 0;
    Bits beyond = neighbour_;  // the warp's next key, for the lane at the edge
#pragma unroll
    for (unsigned step = 0; step < kVectors; ++step) {
      const unsigned v = kKeepsLast ? kVectors - 1 - step : step;
      const Bits turned = shuffled(keys_[v][kKeepsLast ? 0 : kPerVector - 1], source);
      const Bits other = lane_ == kEdgeLane ? beyond : turned;
      beyond = turned;
      constexpr unsigned kEdge = kKeepsLast ? kPerVector - 1 : 0;
#pragma unroll
      for (unsigned k = 0; k < kPerVector; ++k) {
        const Bits beside = k == kEdge ? other : keys_[v][kKeepsLast ? k + 1 : k - 1];
        const bool differs = same.canonical(keys_[v][k]) != same.canonical(beside);
        kept_ |= static_cast<unsigned>(differs) << (v * kPerVector + k);
      }
    }
  }

  /// Mends what compare() found where the list begins or ends.
  __device__ void mend(const NumberedKeys<Bits>& list) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      const std::uint64_t vector = number(v, 0);
      const unsigned below =
          static_cast<unsigned>(min(list.begin - min(list.begin, vector), std::uint64_t{kPerVector}));
      const unsigned there = static_cast<unsigned>(min(list.end - min(list.end, vector), std::uint64_t{kPerVector}));
      const unsigned mask = ((1U << there) - 1) & ~((1U << below) - 1);
      const std::uint64_t always = (kKeepsLast ? list.end - 1 : list.begin) - vector;
      const unsigned forced = always < kPerVector ? 1U << always : 0;
      const unsigned vector_kept = (kept_ >> (v * kPerVector) & mask) | forced;
      constexpr unsigned kAll = (1U << kPerVector) - 1;
      kept_ = (kept_ & ~(kAll << (v * kPerVector))) | vector_kept << (v * kPerVector);
    }
  }

  /// Counts the items to keep in front of each vector of this thread, in its warp. Returns those of the warp. Called by
  /// whole warps.
  __device__ unsigned count() {
    constexpr unsigned kFieldBits = kPerVector * 32 < 256 ? 8 : 16;  // counts of several vectors are added at once
    constexpr unsigned kFields = 32 / kFieldBits;
    unsigned warp_count = 0;
#pragma unroll
    for (unsigned begin = 0; begin < kVectors; begin += kFields) {
      unsigned own = 0;
#pragma unroll
      for (unsigned f = 0; f < kFields && begin + f < kVectors; ++f) own |= kept_count(begin + f) << (f * kFieldBits);
      const unsigned inclusive = warp_inclusive_sum(own);
      const unsigned all = __shfl_sync(~0u, inclusive, 31);
#pragma unroll
      for (unsigned f = 0; f < kFields && begin + f < kVectors; ++f) {
        before_[begin + f] = warp_count + field<kFieldBits>(inclusive - own, f);
        warp_count += field<kFieldBits>(all, f);
      }
    }
    return warp_count;
  }

  /// Calls use(place, v, k) for each item to keep. `warp_place`: the place of the warp's first one.
  template <class Use>
  __device__ void each_kept(unsigned warp_place, const Use& use) const {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      unsigned place = warp_place + before_[v];
#pragma unroll
      for (unsigned k = 0; k < kPerVector; ++k) {
        if (is_kept(v, k)) use(place++, v, k);
      }
    }
  }

  __device__ bool is_kept(unsigned v, unsigned k) const { return (kept_ >> (v * kPerVector + k) & 1) != 0; }
  __device__ Bits key(unsigned v, unsigned k) const { return keys_[v][k]; }
  __device__ std::uint64_t number(unsigned v, unsigned k) const { return first_ + (v * 32 + lane_) * kPerVector + k; }

 private:
  static constexpr unsigned kEdgeLane = kKeepsLast ? 31 : 0;

  __device__ unsigned kept_count(unsigned v) const {
    return __popc(kept_ >> (v * kPerVector) & ((1U << kPerVector) - 1));
  }
  template <unsigned kFieldBits>
  __device__ static unsigned field(unsigned word, unsigned f) {
    return word >> (f * kFieldBits) & ((1U << kFieldBits) - 1);
  }

  const std::uint64_t first_;
  const unsigned lane_;
  Bits keys_[kVectors][kPerVector];
  Bits neighbour_;
  unsigned kept_;              ///< bit v * kPerVector + k: key k of vector v is kept
  unsigned before_[kVectors];  ///< kept items of the warp in front of this thread's vector
};

}  // namespace sortie::kernels
