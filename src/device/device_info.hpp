// Which GPUs can be used, asked before an engine is chosen. Safe on machines without driver or GPU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sortie {

struct DeviceInfo {
  int number = 0;  ///< CUDA's number of it
  std::string name;
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string reason;  ///< why a device that was asked for is missing; empty if none is
  /// A device that was asked for is missing because it has no room for CUDA itself, some 500 MB on a large GPU.
  bool is_full = false;
};

/// The GPUs that can run Sortie's kernels: all, or those of `wanted` if it names any, ascending. Does not throw if
/// there is no driver or device: the list is then empty and says why. Starts CUDA and creates a context on every device
/// that it asks, all at the same time: this takes a quarter of a second (H200).
DeviceList list_devices(std::span<const int> wanted = {});

/// The same, but throws Error if one of `wanted` is missing, and DeviceFullError if one of `wanted` is full, or if no
/// device can be used and one is full.
DeviceList require_devices(std::span<const int> wanted);

/// Makes `device` the current one of the calling thread. Every thread that uses the GPU calls this first. Throws Error.
void select_device(int device);

/// Free bytes on the current device. Throws Error.
std::uint64_t free_device_bytes();

/// How much may be taken if `free_bytes` are free. The rest is for the driver, for kernels and their stacks, and for
/// whoever comes next: a sixteenth, or at least 256 MiB, but never more than half. `ceiling_bytes`: upper bound; 0:
/// none.
std::uint64_t usable_device_bytes(std::uint64_t free_bytes, std::uint64_t ceiling_bytes);

}  // namespace sortie
