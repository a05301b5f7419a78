// A sort of an array of the host that fits into the memory of the GPUs together: each takes a share, sort_shards()
// sorts them as one array, and each sends its range back.
//
//   GPU 0   | share 0 goes | sort | exchange, merge | range 0 comes |
//   GPU 1   | share 1 goes | sort | exchange, merge | range 1 comes |
#pragma once

#include <cstdint>
#include <span>

#include "cuda/host/host_array_items.hpp"

namespace sortie::cuda {

/// Device memory that a share of `count` of the items takes if there are `share_count` shares.
std::uint64_t resident_bytes(const HostItems& items, std::uint64_t count, std::size_t share_count);

/// The GPU of a share, and how many items it has.
struct DeviceShare {
  int device = 0;
  std::uint64_t count = 0;
};

/// Returns when the array is sorted. Throws DeviceMemoryError before anything has changed; Refused, sortie::Error.
void sort_resident(const HostItems& items, std::span<const DeviceShare> shares);

}  // namespace sortie::cuda
