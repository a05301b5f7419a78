// The launches of a counting sort of short keys without values, for the files that instantiate it.
#pragma once

#include <cstdint>

#include "kernels/common/clear_words.cuh"
#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/radix/fill_values.cuh"
#include "kernels/radix/value_counts.cuh"

namespace sortie::kernels {

/// Blocks per multiprocessor that count.
template <ShortKey Key>
constexpr unsigned kCountBlocks = sizeof(Key) == 1 ? 2 : 1;

/// `lanes` is the codec of a word of keys. Returns false, and does nothing, if this device has not the shared memory.
template <ShortKey Key, class Lanes>
bool sort_by_counting(Key* keys, std::uint64_t count, const Lanes& lanes, void* scratch, cudaStream_t stream) {
  if (shared_bytes_per_block() < kCountSharedBytes<Key>) return false;
  const auto count_kernel = count_values_kernel<Key, Lanes>;
  const auto fill_kernel = fill_values_kernel<Key, Lanes>;
  ScratchLayout layout(scratch);
  const ValueCounts counts = take_value_counts(layout, sizeof(Key));
  const bool overlaps = has_code_for_90(fill_kernel);
  clear_words(counts.groups, layout.size_bytes(), "kernel that clears the counts of keys", stream);
  allow_shared_bytes(count_kernel, kCountSharedBytes<Key>, "shared memory of the counting kernel");
  const unsigned count_grid = persistent_grid(divide_up(count, kCountTile<Key>), kCountBlocks<Key>);
  launch_overlapping(count_kernel, "counting kernel", {count_grid, kCountThreads, kCountSharedBytes<Key>}, overlaps,
                     stream, keys, count, counts, lanes);
  const unsigned fill_grid = persistent_grid(divide_up(count, kFillTile<Key>), kFillBlocks);
  launch_overlapping(fill_kernel, "kernel that writes counted keys", {fill_grid, kFillThreads}, overlaps, stream, keys,
                     count, counts, lanes);
  return true;
}

}  // namespace sortie::kernels
