// Copies between host and device, on the device, and between GPUs of one host, queued in a stream. None waits when the
// host memory is pinned; pageable memory is copied aside first, or waited for. They throw Error that names the size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "device/cuda_stream.hpp"

namespace sortie {

void copy_to_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream);
void copy_to_host(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream);
void copy_on_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream);

/// Lets `device` reach the memory of the others directly, over their own links, where the machine allows it; else
/// copies go through the host. Without it copies are slower, not wrong. Selects `device`. Throws Error if the device
/// cannot be used.
void allow_peer_access(int device, std::span<const int> others);

/// Memory on a device.
struct DeviceMemory {
  int device = 0;
  void* data = nullptr;
};

/// Memory on a device that is only read.
struct ConstDeviceMemory {
  int device = 0;
  const void* data = nullptr;
};

/// Queued in `stream`, which is one of the target's device. Throws Error.
void copy_between_devices(const DeviceMemory& target, const ConstDeviceMemory& source, std::uint64_t bytes,
                          cudaStream_t stream);

}  // namespace sortie
