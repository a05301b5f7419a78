// Merges of sorted lists in device memory: of two lists, and of many at a time.
//
// Merges are stable, in either direction: of items with equal keys, those of an earlier list come first. Keys are of
// all types, floats in total order or by value. Inputs stay as they are. Lists must be sorted in the order of the
// merge: they are not checked, and what a merge of others does is undefined. device_arrays.hpp says what all calls
// share.
//
// Keys of 8 and 16 bits are not merged: the lists are copied one behind the other and sorted by radix_sort(), which has
// the same result, and takes one pass over the items for each 8 bits.
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

/// Scratch for merge() of `count` items in all: less than 0.04 bytes an item; if values have neither 4 nor 8 bytes, the
/// values and 8 bytes an item in addition. Floats by value: the keys twice, too. For keys of 8 and 16 bits: that of
/// radix_sort().
std::size_t merge_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Merges two lists into `keys`, which has room for all, and their values into `values`. All keys are of one type, all
/// values of one size. Reads and writes each item once, and values of other sizes than 4 and 8 bytes twice. Lists may
/// lie apart. They are aligned as their types, and those values are anywhere; arrays that begin at multiples of 16
/// bytes, or behind each other, are read fastest.
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
/// too. If values have neither 4 nor 8 bytes, 8 bytes an item in their place. Floats by value: the keys twice, too. For
/// keys of 8 and 16 bits: that of radix_sort().
std::size_t merge_lists_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count,
                                      std::uint32_t list_count) noexcept;

/// Merges all lists into one, in `keys` and `values`. Reads and writes each item once for up to 16 lists, twice for up
/// to 256, and so on; values of other sizes than 4 and 8 bytes once, at the end. For 16 lists two by two would take
/// four passes.
Status merge_lists(const SortedLists& lists, Keys keys, Values values, Order order, Scratch scratch,
                   cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
