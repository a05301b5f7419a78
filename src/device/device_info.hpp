// Which GPUs can be used, asked before an engine is chosen. Safe on machines without driver or GPU.
#pragma once

#include <cstdint>
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
  std::string reason;  ///< why there is none; empty if there is one
};

/// All GPUs that can run Sortie's kernels. Never throws for want of a
/// driver or device: the list is empty then and says why. Creates a context on each device it asks, some
/// tenths of a second.
DeviceList list_devices();

/// Makes `device` the one that the calling thread's later CUDA calls mean. Every thread that uses the
/// GPU calls this first. Throws Error.
void select_device(int device);

/// Free bytes on the current device. Throws Error.
std::uint64_t free_device_bytes();

}  // namespace sortie
