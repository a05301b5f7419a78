// Copies between the device and memory that was pinned in parts: no copy crosses the end of a part
// (base/memory_pin.hpp). Used by the ways in and out of the device.
#pragma once

#include <cstddef>
#include <span>

#include "device/cuda_stream.hpp"

namespace sortie::gpu {

/// Queued in `stream`, at full speed where the memory is pinned; other memory is copied too, more slowly.
void copy_to_pinned(std::span<std::byte> target, const std::byte* source, const CudaStream& stream);
void copy_from_pinned(std::byte* target, std::span<const std::byte> source, const CudaStream& stream);

}  // namespace sortie::gpu
