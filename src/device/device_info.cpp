#include "device/device_info.hpp"

#include <cuda_runtime_api.h>

#include <optional>
#include <utility>

#include "device/cuda_error.hpp"

namespace sortie {
namespace {

/// The oldest architecture that the kernels are built for: 7.5.
constexpr int kMinCapability = 75;

/// One device, or nothing and the reason.
std::optional<DeviceInfo> ask_device(int number, std::string& reason) {
  const auto refuse = [&](const std::string& why) {
    static_cast<void>(cudaGetLastError());
    reason = "GPU " + std::to_string(number) + ": " + why;
    return std::nullopt;
  };
  cudaDeviceProp properties;
  cudaError_t status = cudaGetDeviceProperties(&properties, number);
  if (status != cudaSuccess) return refuse(cudaGetErrorString(status));
  if (properties.major * 10 + properties.minor < kMinCapability) {
    return refuse(std::string(properties.name) + " is older than compute capability 7.5");
  }
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  status = cudaSetDevice(number);
  if (status == cudaSuccess) status = cudaMemGetInfo(&free_bytes, &total_bytes);
  if (status != cudaSuccess) return refuse(cudaGetErrorString(status));
  return DeviceInfo{number, properties.name, free_bytes, total_bytes};
}

}  // namespace

DeviceList list_devices() {
  DeviceList list;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    static_cast<void>(cudaGetLastError());
    list.reason = status != cudaSuccess ? cudaGetErrorString(status) : "no CUDA device found";
    return list;
  }
  int previous = 0;
  const bool restore = cudaGetDevice(&previous) == cudaSuccess;
  for (int number = 0; number < count; ++number) {
    if (auto info = ask_device(number, list.reason)) list.devices.push_back(*std::move(info));
  }
  if (restore) static_cast<void>(cudaSetDevice(previous));
  if (!list.devices.empty()) list.reason.clear();
  return list;
}

void select_device(int device) {
  const cudaError_t status = cudaSetDevice(device);
  if (status != cudaSuccess) check_cuda(status, ("cudaSetDevice(" + std::to_string(device) + ")").c_str());
}

std::uint64_t free_device_bytes() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  return free_bytes;
}

}  // namespace sortie
