// Which GPUs can be used, asked before an engine is chosen. Safe on machines without driver or GPU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sortie {

struct DeviceInfo {
  int number = 0;  ///< CUDA's, as in --devices
  std::string name;
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string reason;  ///< why one that was asked for is missing; empty if none is
  /// One that was asked for is missing because CUDA itself, some 500 MB on a large GPU, finds no memory on it.
  bool is_full = false;
};

/// The GPUs that can run Sortie's kernels: all, or those of `wanted` if it names any, ascending. Never throws for
/// want of a driver or device: the list is empty then and says why. Starts CUDA and creates a context on every
/// device that it asks, at the same time: a quarter of a second (H200).
DeviceList list_devices(std::span<const int> wanted = {});

/// The same, but throws Error if one of `wanted` is not among them; DeviceFullError if it is full, or if all are.
DeviceList require_devices(std::span<const int> wanted);

/// Makes `device` the one that the calling thread's later CUDA calls mean. Every thread that uses the
/// GPU calls this first. Throws Error.
void select_device(int device);

/// Free bytes on the current device. Throws Error.
std::uint64_t free_device_bytes();

}  // namespace sortie
