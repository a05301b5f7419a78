// For keys that are equal over many words, a round for each word would tell nothing apart. This counts, at the speed
// of memory, how many words all tied items share with the rest of their segments, so that such rounds can be skipped.
#pragma once

#include <cstdint>

#include "kernels/refine/refine_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kCommonThreads = 256;
inline constexpr unsigned kCommonWarps = kCommonThreads / 32;
/// The number of warps that share the words when there are few items.
inline constexpr std::uint64_t kMostCommonWarps = 8192;
inline constexpr unsigned kCommonBlocks = 8;  ///< per multiprocessor, of a search that is launched ahead
/// The common words of up to this many items are searched for before the host knows whether all of them are still tied.
/// This saves a wait, 2 to 7% of the time at 2^14 lines with long equal parts, and nothing at 2^17 (H200).
inline constexpr std::uint64_t kMostSearchedAhead = std::uint64_t{1} << 18;

/// The items of segments whose common words are counted. Pair k is items k - 1 and k.
struct CommonWordItems {
  const std::uint32_t* segments;
  const std::uint32_t* items;
  std::uint64_t count;
};

/// The words that may be common.
struct WordRange {
  std::uint64_t first;
  std::uint64_t count;
};

/// Lowers the number of common words to those before the first word, of every `slices`-th group of 32 from group
/// `slice` on, that tells records a and b apart. Called by a whole warp.
static __device__ void lower_common_words(const RecordKeys& keys, std::uint32_t a, std::uint32_t b,
                                          const WordRange& words, std::uint64_t slice, std::uint64_t slices,
                                          unsigned long long* lowered_by) {
  // The shuffle makes this the same for all lanes, while other warps lower it.
  const auto words_left = [&] {
    return __shfl_sync(~0u, words.count - *static_cast<volatile unsigned long long*>(lowered_by), 0);
  };
  for (std::uint64_t begin = 32 * slice; begin < words_left(); begin += 32 * slices) {
    const std::uint64_t position = begin + threadIdx.x % 32;
    const bool differs = position < words.count && !share_word(keys, a, b, words.first + position);
    const unsigned differing = __ballot_sync(~0u, differs);
    if (differing == 0) continue;
    const std::uint64_t common = begin + __ffs(static_cast<int>(differing)) - 1;
    if (threadIdx.x % 32 == 0) atomicMax(lowered_by, static_cast<unsigned long long>(words.count - common));
    return;
  }
}

/// Lowers the number of common words, which is words.count at first, to those before the first word that tells
/// neighbours in a segment apart. *lowered_by is zero at first. Does nothing if fewer items than all are still tied:
/// the last round told some apart, so the next one may, too. So the host need not wait for *tied_count to launch this.
static __global__ void __launch_bounds__(kCommonThreads)
    count_common_words_kernel(const __grid_constant__ RecordKeys keys, const CommonWordItems tied, WordRange words,
                              std::uint64_t slices, const std::uint64_t* tied_count, unsigned long long* lowered_by) {
  if (tied_count != nullptr && *tied_count != tied.count) return;
  const std::uint64_t pairs = tied.count - 1;
  for (std::uint64_t warp = std::uint64_t{blockIdx.x} * kCommonWarps + threadIdx.x / 32; warp < pairs * slices;
       warp += std::uint64_t{gridDim.x} * kCommonWarps) {
    const std::uint64_t k = warp % pairs + 1;
    if (tied.segments[k] != tied.segments[k - 1]) continue;
    lower_common_words(keys, tied.items[k - 1], tied.items[k], words, warp / pairs, slices, lowered_by);
  }
}

}  // namespace sortie::kernels
