// What the functions that take sorted lists share, merges and set operations: the check of their arguments, and merges
// of short keys.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_merge.hpp>

#include "cuda/device_call.hpp"

namespace sortie::cuda {

/// The alignment of keys, and of values that move with their keys; other values may be anywhere.
constexpr unsigned item_alignment(std::size_t item_bytes) {
  return item_bytes == 2 || item_bytes == 4 || item_bytes == 8 ? static_cast<unsigned>(item_bytes) : 1;
}

/// Throws Refused unless the keys of list and output are of one type, and their values of one size.
void require_same_types(const ConstKeys& list_keys, const ConstValues& list_values, const Keys& keys,
                        const Values& values);

/// Throws Refused unless two lists can be merged, or taken as sets, into arrays of these types.
void require_two_lists(const SortedList& first, const SortedList& second, const Keys& keys, const Values& values);

/// The arrays of a call: those of its lists, and its outputs.
std::vector<ArrayArgument> arrays_of(const SortedList& first, const SortedList& second,
                                     std::initializer_list<ArrayArgument> outputs);

/// Merges lists with keys of 8 or 16 bits: copies them one behind the other to the output, and sorts it, which is as
/// stable and takes one or two passes. `scratch` is that of radix_sort(). Throws Refused.
void sort_lists_of_short_keys(std::span<const SortedList> lists, const Keys& keys, const Values& values, Order order,
                              const Scratch& scratch, cudaStream_t stream);

}  // namespace sortie::cuda
