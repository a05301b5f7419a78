// Counts how often each digit occurs in the giants, for the passes that follow. Of keys with many digits those are
// counted that a sample makes likely to be sorted by; the bits of all keys tell whether the sample was right.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_sample.cuh"
#include "kernels/segmented/segment_lists.cuh"

namespace sortie::kernels {

/// A block's share of all tiles, the same in every step but the passes.
struct GiantShare {
  unsigned begin;
  unsigned end;

  __device__ explicit GiantShare(unsigned tile_count)
      : begin(static_cast<unsigned>(std::uint64_t{tile_count} * blockIdx.x / gridDim.x)),
        end(static_cast<unsigned>(std::uint64_t{tile_count} * (blockIdx.x + 1) / gridDim.x)) {}
};

template <class Code, unsigned kThreads, unsigned kCounterBytes>
class GiantCounts {
 public:
  __device__ GiantCounts(const Code* keys, const KeyCodec<Code>& codec, const GiantLists& lists, unsigned* counters)
      : keys_(keys), codec_(codec), lists_(lists), counters_(counters) {}

  /// Counts in the tiles of the giants whose passes begin with `first_pass`.
  __device__ void run(const GiantShare& share, unsigned first_pass) {
    for (unsigned i = threadIdx.x; i < kCounterBytes / sizeof(unsigned); i += kThreads) counters_[i] = 0;
    __syncthreads();
    for (unsigned tile = share.begin; tile < share.end; ++tile) {
      const GiantTileRecord& record = lists_.tiles[tile];
      if (record.plan.passes == 0 || record.plan.first_pass != first_pass) continue;
      const bool is_last = tile + 1 == share.end || lists_.tiles[tile + 1].giant != record.giant;
      if (record.plan.passes == kDigits) {
        count<kDigits>(record, is_last);
      } else {
        count<kGiantLeadingDigits>(record, is_last);
      }
    }
  }

 private:
  static constexpr unsigned kDigits = sizeof(Code);
  static constexpr unsigned kBatch = 4;  ///< keys that a thread loads at once

  /// Lanes of a warp count in columns of their own, as far as there is room: keys that are alike wait less.
  template <unsigned kCounted>
  static constexpr unsigned kColumns = kCounterBytes / (kCounted * kRadixBins * sizeof(unsigned));

  template <unsigned kCounted>
  __device__ void count(const GiantTileRecord& tile, bool is_last) {
    count_tile<kCounted>(tile);
    if (is_last) leave_counts<kCounted>(tile);
  }

  template <unsigned kCounted>
  __device__ void count_tile(const GiantTileRecord& tile) {
    constexpr unsigned kTileColumns = kColumns<kCounted>;
    unsigned shifts[kCounted];
#pragma unroll
    for (unsigned d = 0; d < kCounted; ++d) shifts[d] = tile.plan.digits[d] * kDigitBits;
    const Code* const tile_keys = keys_ + tile.begin;
    const unsigned tile_count = tile.count;
    for (unsigned first = threadIdx.x; first < tile_count; first += kBatch * kThreads) {
      Code keys[kBatch];
#pragma unroll
      for (unsigned i = 0; i < kBatch; ++i) {
        if (first + i * kThreads < tile_count) keys[i] = tile_keys[first + i * kThreads];
      }
#pragma unroll
      for (unsigned i = 0; i < kBatch; ++i) {
        if (first + i * kThreads >= tile_count) break;
        const Code code = codec_.encode(keys[i]);
        ones_ |= code;
        zeros_ |= static_cast<Code>(~code);
#pragma unroll
        for (unsigned d = 0; d < kCounted; ++d) {
          const unsigned bin = static_cast<unsigned>(code >> shifts[d]) % kRadixBins;
          atomicAdd(&counters_[(d * kRadixBins + bin) * kTileColumns + threadIdx.x % kTileColumns], 1u);
        }
      }
    }
  }

  /// Adds what was counted to the giant's counts, and begins anew.
  template <unsigned kCounted>
  __device__ void leave_counts(const GiantTileRecord& tile) {
    constexpr unsigned kTileColumns = kColumns<kCounted>;
    GiantBits& bits = lists_.bits[tile.giant];
    leave_bits(ones_, zeros_, &bits.ones, &bits.zeros);
    ones_ = 0;
    zeros_ = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kCounted * kRadixBins; i += kThreads) {
      unsigned sum = 0;
#pragma unroll
      for (unsigned column = 0; column < kTileColumns; ++column) {
        sum += counters_[i * kTileColumns + column];
        counters_[i * kTileColumns + column] = 0;
      }
      const unsigned digit = tile.plan.digits[i / kRadixBins];
      if (sum != 0) atomicAdd(&lists_.bins_of(tile.giant, digit, kDigits)[i % kRadixBins], sum);
    }
    __syncthreads();
  }

  const Code* const keys_;
  const KeyCodec<Code>& codec_;
  const GiantLists& lists_;
  unsigned* const counters_;
  std::uint64_t ones_ = 0;   ///< bits that are one in some key of the giant that this thread has seen
  std::uint64_t zeros_ = 0;  ///< bits that are zero in some key
};

}  // namespace sortie::kernels
