// Odd-even transposition sort, the parallel form of bubble sort. Within a block it runs in shared memory; over many
// blocks it runs in phases shifted by half a block, one launch each (odd_even_plan.hpp). It takes quadratic time, so
// it serves for short lists and as a yardstick. After the first phase in which nothing moved, the remaining phases
// notice this on the device and do nothing.
// Habermann, "Parallel Neighbor-Sort", 1972; Baudet and Stevenson, "Optimal Sorting Algorithms for Parallel
// Computers", 1978.
//
// The sort is stable in either direction, and in place. Keys are ordered as by the radix sort, and come back bit for
// bit. Every list of `list_items` items is sorted by itself; the last list may be shorter. `list_items` is a multiple
// of kOddEvenListMultiple, or at least `count`: then all items are one list. O(count * list_items) comparisons,
// list_items / 512 launches.
//
// Does not synchronise or allocate. Values follow their keys. The arrays must not overlap. Pointers are to device
// memory, arrays aligned as their types, scratch to 256 bytes. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

inline constexpr std::uint64_t kOddEvenListMultiple = 1024;

/// Scratch for an odd-even sort: a word of 4 bytes per phase.
std::uint64_t odd_even_scratch_bytes(std::uint64_t count, std::uint64_t list_items);

template <SortKey Key>
void odd_even_sort_keys(Key* keys, std::uint64_t count, std::uint64_t list_items, SortOrder order, void* scratch,
                        cudaStream_t stream);
template <SortKey Key>
void odd_even_sort_pairs(Key* keys, std::uint32_t* values, std::uint64_t count, std::uint64_t list_items,
                         SortOrder order, void* scratch, cudaStream_t stream);

/// The same in ascending order.
template <SortKey Key>
void odd_even_sort_keys(Key* keys, std::uint64_t count, std::uint64_t list_items, void* scratch, cudaStream_t stream) {
  odd_even_sort_keys(keys, count, list_items, SortOrder::kAscending, scratch, stream);
}

/// Sorts pairs by ascending prefix, and by nothing else.
inline void odd_even_sort_pairs(const PrefixPairs& pairs, std::uint64_t count, std::uint64_t list_items, void* scratch,
                                cudaStream_t stream) {
  odd_even_sort_pairs(pairs.prefixes, pairs.indices, count, list_items, SortOrder::kAscending, scratch, stream);
}

}  // namespace sortie::kernels
