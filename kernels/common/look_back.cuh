// Decoupled look-back: a tile learns the sum over all tiles before it without a second pass. A tile first publishes
// its own count. Then it adds up its predecessors' words until one holds an inclusive sum, and publishes its own
// inclusive sum for the tiles after it. Running blocks claim tiles in order, so every predecessor is running or done,
// and the wait for it ends.
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
//
//   status word   | state: 2 bits | count |      0: nothing published yet
//
// A word carries its state and its count together, so relaxed loads and stores suffice.
//
// Launches that follow each other over the same words need not clear them in between. The columns below have two
// states that mean an inclusive sum, and launches use them in turn. A launch takes the other state for one that the
// launch before it left.
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "kernels/common/scratch_layout.hpp"
#include "kernels/common/warp_sums.cuh"

namespace sortie::kernels {

template <class Word>
struct LookBackWord {
  static constexpr unsigned kCountBits = 8 * sizeof(Word) - 2;
  static constexpr Word kAggregate = Word{1} << kCountBits;
  static constexpr Word kInclusive = Word{2} << kCountBits;
  static constexpr Word kCountMask = kAggregate - 1;
};

template <class Word>
__device__ void publish(Word* status, Word word) {
  ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*status).store(word, ::cuda::memory_order_relaxed);
}

/// 0 if the word is not published yet.
template <class Word>
__device__ Word read_status(Word* status) {
  return ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*status).load(::cuda::memory_order_relaxed);
}

/// Claims the next tile in order, for the whole block. Contains a barrier.
__device__ inline unsigned claim_tile(unsigned* tile_counter) {
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(tile_counter, 1u);
  __syncthreads();
  return tile;
}

/// The states of one launch's column words. Several launches follow each other over the same words.
class LaunchStates {
 public:
  /// `launch` is the number of launches that have used the words since they were cleared.
  __device__ explicit LaunchStates(unsigned launch)
      : inclusive_(launch % 2 == 0 ? 2u << kStateShift : 3u << kStateShift),
        published_(1u << 1 | (launch % 2 == 0 ? 1u << 2 : 1u << 3)) {}

  __device__ std::uint32_t aggregate(std::uint32_t count) const { return 1u << kStateShift | count; }
  __device__ std::uint32_t inclusive(std::uint32_t count) const { return inclusive_ | count; }
  __device__ bool is_published(std::uint32_t word) const { return (published_ >> (word >> kStateShift) & 1) != 0; }
  __device__ static bool is_inclusive(std::uint32_t published_word) { return published_word >> (kStateShift + 1) != 0; }
  __device__ static std::uint32_t count(std::uint32_t word) { return word & ((1u << kStateShift) - 1); }

 private:
  static constexpr unsigned kStateShift = 30;

  const std::uint32_t inclusive_;
  const std::uint32_t published_;  ///< bit s: this launch published state s
};

/// Words that one thread has under way at once in column_prefix(). An inclusive sum is seen some 0.7 µs after its tile
/// published it. On a large GPU a dozen tiles publish in that time, and reading their words one by one would take
/// longer than the rest of the tile's work.
inline constexpr unsigned kLookBackBatch = 4;

/// The sum of the counts of all tiles before `tile`, for one column of status words that lie `pitch` apart. Called by
/// one thread per column, after it published its own aggregate. Precondition: tile 0 publishes an inclusive sum.
__device__ inline std::uint32_t column_prefix(std::uint32_t* column, std::uint64_t tile, unsigned pitch,
                                              const LaunchStates& states) {
  std::uint32_t sum = 0;
  while (true) {
    std::uint32_t words[kLookBackBatch];
#pragma unroll
    for (unsigned i = 0; i < kLookBackBatch; ++i) {
      words[i] = tile > i ? read_status(column + (tile - 1 - i) * pitch) : states.inclusive(0);
    }
#pragma unroll
    for (unsigned i = 0; i < kLookBackBatch; ++i) {
      if (!states.is_published(words[i])) break;
      sum += LaunchStates::count(words[i]);
      if (LaunchStates::is_inclusive(words[i])) return sum;
      --tile;
    }
  }
}

/// Publishes the count of a tile for those after it. Called by one thread, before prefix_of_published().
__device__ inline void publish_aggregate(std::uint64_t* status, unsigned tile, std::uint64_t aggregate) {
  using State = LookBackWord<std::uint64_t>;
  publish(status + tile, aggregate | (tile == 0 ? State::kInclusive : State::kAggregate));
}

/// Adds to `sum` what this lane's word counts, of 32 words side by side, unless an inclusive sum stands in front of it.
/// Returns whether there is one. Lanes wait for words that are not published: what is there is not read again.
__device__ inline bool add_up_words(std::uint64_t* status, std::uint64_t word, std::uint64_t& sum) {
  using State = LookBackWord<std::uint64_t>;
  const unsigned lane = threadIdx.x % 32;
  while (true) {
    const unsigned inclusive = __ballot_sync(~0u, (word & State::kInclusive) != 0);
    const bool counts = lane < (inclusive != 0 ? __ffs(inclusive) : 32);
    if (!__any_sync(~0u, counts && word == 0)) {
      if (counts) sum += word & State::kCountMask;
      return inclusive != 0;
    }
    if (counts && word == 0) word = read_status(status);
  }
}

/// The sum of the aggregates of all tiles before `tile`, whose own is published. Publishes its inclusive sum. Called by
/// one whole warp, which looks at 32 tiles at a time. More of them were slower (tools/bench/RESULTS-kernels.md).
__device__ inline std::uint64_t prefix_of_published(std::uint64_t* status, unsigned tile, std::uint64_t aggregate) {
  using State = LookBackWord<std::uint64_t>;
  if (tile == 0) return 0;
  const unsigned lane = threadIdx.x % 32;
  std::uint64_t sum = 0;  // of the words that this lane saw
  std::int64_t at = std::int64_t{tile} - 1 - lane;
  while (!add_up_words(status + at, at >= 0 ? read_status(status + at) : State::kInclusive, sum)) at -= 32;
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) publish(status + tile, (sum + aggregate) | State::kInclusive);
  return sum;
}

/// The sum of the aggregates of all tiles before `tile`. Also publishes this tile's words. Called by one whole warp.
__device__ inline std::uint64_t tile_prefix(std::uint64_t* status, unsigned tile, std::uint64_t aggregate) {
  if (threadIdx.x % 32 == 0) publish_aggregate(status, tile, aggregate);
  return prefix_of_published(status, tile, aggregate);
}

/// Shared memory of scan_tile().
template <unsigned kThreads>
struct TileScanStorage {
  std::uint64_t of_warps[kThreads / 32];
  std::uint64_t prefix;
};

/// An exclusive prefix sum in one pass over the data: the sum of `value` over all threads before this one, in this tile
/// and those before it. Line scan, gather of lines and compaction of tied items use it. Called by all threads of the
/// block. Contains barriers, with one at its end, so that the storage may be reused.
template <unsigned kThreads>
__device__ std::uint64_t scan_tile(TileScanStorage<kThreads>& storage, std::uint64_t* status, unsigned tile,
                                   std::uint64_t value) {
  static_assert(kThreads % 32 == 0);
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t up_to_here = warp_inclusive_sum(value);
  if (lane == 31) storage.of_warps[warp] = up_to_here;
  __syncthreads();
  const std::uint64_t of_warp = lane < kThreads / 32 ? storage.of_warps[lane] : 0;
  const std::uint64_t up_to_warp = warp_inclusive_sum(of_warp);
  const std::uint64_t before = __shfl_sync(~0u, up_to_warp - of_warp, warp) + up_to_here - value;
  if (warp == 0) {
    const std::uint64_t prefix = tile_prefix(status, tile, __shfl_sync(~0u, up_to_warp, 31));
    if (lane == 0) storage.prefix = prefix;
  }
  __syncthreads();
  const std::uint64_t result = storage.prefix + before;
  __syncthreads();
  return result;
}

}  // namespace sortie::kernels
