// Merges lists that lie anywhere in device memory, with keys of any type. Two go to sortie::cuda as they are; more are
// copied side by side first.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/cuda/device_merge.hpp>
#include <sortie/cuda/status.hpp>

#include "engine/device_functions.hpp"

namespace sortie {

/// A list as sortie::cuda takes it.
cuda::SortedList list_of(const DeviceItems& given, cuda::KeyType key_type, std::size_t value_bytes);

std::size_t separate_lists_scratch_bytes(cuda::KeyType type, std::size_t value_bytes, std::uint64_t count,
                                         std::uint32_t list_count);

/// Queues the merge on the device that is current. Throws Error, or what cuda::answer() makes a Status of.
cuda::Status merge_separate_lists(const DeviceMerge& merge, const DeviceCall& call);

}  // namespace sortie
