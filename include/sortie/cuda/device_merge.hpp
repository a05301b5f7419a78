// Merges of sorted lists in device memory: of two lists, and of many at a time.
//
// Merges are stable, in either direction: of items with equal keys, those of an earlier list come first. They take any
// count, beyond 2^32 too, of keys of 32 and 64 bits. Inputs stay as they are. Calls queue work in `stream` and return:
// they synchronise nothing, use no other stream, and allocate nothing but scratch from an allocator. Inputs, outputs
// and scratch must not overlap. Lists must be sorted in the order of the merge: they are not
// checked, and what a merge of others does is undefined. The stream belongs to the device that is current.
//
// Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009, for the samples that
// divide lists among blocks; Green, Odeh and Birk, "Merge Path", 2014, for threads within a block.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// A sorted list in arrays of its own.
struct SortedList {
  ConstKeys keys;
  ConstValues values;
  std::uint64_t count = 0;
};

/// Scratch for merge() of `count` items in all: the two lists, 4 bytes twice an item if values have neither 4 nor 8,
/// and some 0.07 bytes an item.
std::size_t merge_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Merges two lists into `keys`, which has room for all, and their values into `values`. All keys are of one type, all
/// values of one size. Reads and writes each item once; before that, it copies the lists side by side, unless the
/// second one begins where the first one ends, keys and values. Lists need no alignment. Values of other sizes than 4
/// and 8 are read in units of 16 bytes, as those of merge_lists() are.
Status merge(const SortedList& first, const SortedList& second, Keys keys, Values values, Order order, Scratch scratch,
             cudaStream_t stream) noexcept;

/// Sorted lists side by side in one array: list i is items [offsets[i], offsets[i + 1]). Any may be empty.
struct SortedLists {
  ConstKeys keys;
  ConstValues values;
  const std::uint64_t* offsets = nullptr;  ///< list_count + 1 of them, from 0 on, ascending; in device memory
  std::uint32_t list_count = 0;
  std::uint64_t count = 0;  ///< the last offset, which the host must know
};

/// Scratch for merge_lists(). Up to 16 lists: some 0.07 bytes an item and 80 bytes a list. More: a copy of all items,
/// too. If values have neither 4 nor 8 bytes, 4 bytes twice an item in addition.
std::size_t merge_lists_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count,
                                      std::uint32_t list_count) noexcept;

/// Merges all lists into one, in `keys` and `values`. Reads and writes each item once for up to 16 lists, twice for up
/// to 256, and so on; more than 16 lists are copied first. Values of other sizes than 4 and 8 are read in units of 16
/// bytes: what lies between them and the next multiple of 16 on either side must be readable, as in memory of
/// cudaMalloc().
Status merge_lists(const SortedLists& lists, Keys keys, Values values, Order order, Scratch scratch,
                   cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
