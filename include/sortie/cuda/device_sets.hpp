// Sorted lists in device memory as sets: each key once, and what two lists have together, apart, or in common.
//
// How many items there are in the result is known on the device alone, where a later kernel or a copy to the host finds
// it. Keys are of all types, floats in total order or by value. In total order they are equal if their bits are: -0 and
// +0 are two keys. By value all zeros are one key, and all NaNs; what is kept has its own bits. Lists must be sorted in
// the order of their type; they are not checked, and what is kept of others is undefined. Inputs stay as they are.
// Arrays are aligned as their types, values of other sizes than 4 and 8 anywhere. device_arrays.hpp says what all calls
// share.
//
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016, for how selected items find
// their places in one pass; Green, Odeh and Birk, "Merge Path", 2014, for how two lists are divided among threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_merge.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// Scratch for unique(): some 8 bytes per 2048 items.
std::size_t unique_scratch_bytes(std::uint64_t count) noexcept;

/// Writes one item of each key to `keys` and `values`, which have room for all, in the order of the list, and how many
/// these are to *kept_count, in device memory. Keys are in either order; values of any size. Reads the keys once.
Status unique(const SortedList& list, Keys keys, Values values, std::uint64_t* kept_count, Keep keep, Scratch scratch,
              cudaStream_t stream) noexcept;

/// Scratch for set_operation() of `count` items in both lists together: some 0.005 bytes an item.
std::size_t set_operation_scratch_bytes(SetOperation operation, KeyType key_type, std::uint64_t count) noexcept;

/// Writes the items that are kept to `keys` and `values`, in order, and how many these are to *kept_count, in device
/// memory. Outputs have room for all items of both lists; for intersection and difference, of the first one. All keys
/// are of one type, and all values of one size, which may be any. Reads each list once, in its order.
Status set_operation(SetOperation operation, const SortedList& first, const SortedList& second, Keys keys,
                     Values values, std::uint64_t* kept_count, Order order, Scratch scratch,
                     cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
