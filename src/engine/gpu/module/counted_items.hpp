// Functions on arrays in device memory whose results have as many items as only the device finds: each key once, and
// sets. They wait for that number, which a kernel writes to memory of the host.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

#include "engine/device_functions.hpp"

namespace sortie {

/// What DeviceFunctions says of unique() and combine_sets(). They work on the device that is current. Throw Error, or
/// what cuda::answer() makes a Status of.
std::size_t unique_items_scratch_bytes(cuda::KeyType type, std::size_t value_bytes, std::uint64_t count);
cuda::Status unique_items(const DeviceUnique& unique, std::uint64_t& kept_count, const DeviceCall& call);
cuda::Status combine_lists(const DeviceSetOperation& sets, std::uint64_t& kept_count, const DeviceCall& call);

}  // namespace sortie
