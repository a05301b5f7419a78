// Three classic parallel sorts of arrays in device memory, for teaching, as yardsticks, and for inputs that suit them.
// radix_sort() chooses by itself what is fastest; nobody needs these for speed alone. Keys have 32 or 64 bits.
// device_arrays.hpp says what all calls share.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// Sorts in place, without scratch, by Batcher's network of comparators, in O(n log² n) steps. Not stable: of items
/// with equal keys the one with the lowest value comes first, in either direction, the values' bits taken as an
/// unsigned number. So the result is that of a stable sort if values are positions. Values have 4 or 8 bytes, or there
/// are none. Arrays are aligned as their types. Up to some 2^13 items are sorted in one launch. Batcher, "Sorting
/// Networks and their Applications", 1968.
Status bitonic_sort(Keys keys, Values values, std::uint64_t count, Order order, cudaStream_t stream) noexcept;

/// odd_even_sort() sorts lists of any multiple of this many items.
inline constexpr std::uint64_t kOddEvenListItems = 1024;

/// Scratch for odd_even_sort(): some 4 bytes for every 512 items of a list.
std::size_t odd_even_sort_scratch_bytes(std::uint64_t count, std::uint64_t list_items) noexcept;

/// Sorts every list of `list_items` items by itself, in place, by odd-even transposition: the parallel form of bubble
/// sort, with O(count * list_items) comparisons and list_items / 512 launches. Stable. `list_items` is a multiple of
/// kOddEvenListItems, or at least `count`; the last list may be shorter. Values have 4 bytes, or there are none. Arrays
/// are aligned as their types.
/// Habermann, "Parallel Neighbor-Sort", 1972.
Status odd_even_sort(Keys keys, Values values, std::uint64_t count, std::uint64_t list_items, Order order,
                     Scratch scratch, cudaStream_t stream) noexcept;

/// Scratch for split_radix_sort() of `count` keys with values of `value_bytes` each, 0 if there are none: a copy of
/// keys and values, and some 0.15 bytes an item.
std::size_t split_radix_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Sorts in place: every thread sorts a list of its own by splitting it on each bit, warps merge their lists, and
/// blocks merge what the warps leave. Stable. Values are of any size. Cook, "CUDA Programming", 2013, chapter 6.
Status split_radix_sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch,
                        cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
