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

/// Lowers the number of common words, which is `most_words` at first, to those before the first word that tells
/// neighbours in a segment apart. *lowered_by is zero at first. Warp w of the grid takes pair w % pairs, and
/// slice w / pairs of its words: every `slices`-th group of 32.
static __global__ void __launch_bounds__(kCommonThreads)
    count_common_words_kernel(const __grid_constant__ RecordKeys keys, const RefineArrays arrays, std::uint64_t count,
                              std::uint64_t first_word, std::uint64_t most_words, std::uint64_t slices,
                              unsigned long long* lowered_by) {
  const std::uint64_t warp = std::uint64_t{blockIdx.x} * kCommonWarps + threadIdx.x / 32;
  const std::uint64_t pairs = count - 1;
  const std::uint64_t slice = warp / pairs;
  const std::uint64_t k = warp % pairs + 1;
  if (slice >= slices || arrays.segments[k] != arrays.segments[k - 1]) return;
  const std::uint32_t a = arrays.items[k - 1];
  const std::uint32_t b = arrays.items[k];
  // The shuffle makes this the same for all lanes, while other warps lower it.
  const auto words_left = [&] {
    return __shfl_sync(~0u, most_words - *static_cast<volatile unsigned long long*>(lowered_by), 0);
  };
  for (std::uint64_t begin = 32 * slice; begin < words_left(); begin += 32 * slices) {
    const std::uint64_t position = begin + threadIdx.x % 32;
    const bool differs = position < most_words && !share_word(keys, a, b, first_word + position);
    const unsigned differing = __ballot_sync(~0u, differs);
    if (differing == 0) continue;
    const std::uint64_t common = begin + __ffs(static_cast<int>(differing)) - 1;
    if (threadIdx.x % 32 == 0) atomicMax(lowered_by, static_cast<unsigned long long>(most_words - common));
    return;
  }
}

}  // namespace sortie::kernels
