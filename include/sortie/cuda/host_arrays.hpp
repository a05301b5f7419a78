// Sorts of arrays in host memory by one or several GPUs, also of arrays that are larger than the memory of these.
//
// Calls return when the array is sorted. They make streams of their own on each device, and allocate device memory for
// the time of the call (cudaMalloc). Host memory may be pinned or not, or managed; arrays in device memory are refused.
// Arrays must not overlap.
//
// Many keys of 32 or 64 bits without values, floats in total order, if twice as many fit into the memory of the GPUs
// together: chunks are sorted as they arrive and merged with those before, and the result goes back packed, in parts,
// all at the same time, as the GPU engine sorts arrays. Threads of the CPU copy memory that is not pinned, and unpack.
// Other items that fit: each GPU takes a share, sort_shards() sorts the shares as one array, and each GPU sends its
// range back. Items that do not fit: chunks are sorted and come back as sorted runs, to host memory that the call
// allocates and pins, as much as the array has; then windows of the whole are merged from their slices of all runs, cut
// at exact ranks. Copies in both directions overlap the work on the device. In both of these, memory that is not pinned
// is pinned for the time of the call, at some 60 GB/s, if the system lets it (`ulimit -l`); otherwise copies are
// slower.
#pragma once

#include <cstdint>
#include <span>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// What a sort of a host array may use.
struct HostSortResources {
  std::span<const int> devices = {};      ///< CUDA's numbers; empty: the current device
  std::uint64_t device_memory_bytes = 0;  ///< upper bound on each device; 0: all that is free but a small reserve
};

/// Sorts `count` keys, and their values with them, in place. Stable, floats by value without values too. Keys are of
/// all types, floats in total order or by value, values of any size, as radix_sort() takes them; arrays need no
/// alignment. Any count. The result does not depend on the devices. kOutOfMemory if there is too little device memory,
/// or too little host memory for the runs; arrays are then as they were.
Status sort_host_array(Keys keys, Values values, std::uint64_t count, Order order,
                       const HostSortResources& resources = {}) noexcept;

/// The same for keys alone.
inline Status sort_host_array(Keys keys, std::uint64_t count, Order order,
                              const HostSortResources& resources = {}) noexcept {
  return sort_host_array(keys, Values(), count, order, resources);
}

/// Sets positions[i] to the position of the item that comes i-th in order; of items with equal keys the first comes
/// first. Keys stay as they are. Positions are made on the devices.
Status argsort_host_array(ConstKeys keys, Positions positions, std::uint64_t count, Order order,
                          const HostSortResources& resources = {}) noexcept;

}  // namespace sortie::cuda
