// Copies between host and device, and on the device, queued in a stream. None waits when the host memory is pinned;
// pageable memory is copied aside first, or waited for. They throw Error that names the size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/cuda_stream.hpp"

namespace sortie {

void copy_to_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream);
void copy_to_host(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream);
void copy_on_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream);

}  // namespace sortie
