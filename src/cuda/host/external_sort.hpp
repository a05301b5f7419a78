// A sort of an array of the host that is larger than the memory of the GPUs: see external_plan.hpp. Sorted runs are
// kept in memory of the host's, as large as the array, and windows are merged from there to where they belong.
#pragma once

#include <cstdint>
#include <span>

#include "cuda/host/host_array_items.hpp"

namespace sortie::cuda {

/// Uses `lane_bytes` three times on each device. Returns when the array is sorted. Throws DeviceMemoryError before
/// anything has changed, also if the host has too little memory; Refused, sortie::Error.
void sort_external(const HostItems& items, std::span<const int> devices, std::uint64_t lane_bytes);

}  // namespace sortie::cuda
