#include "device/device_info.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <future>
#include <list>
#include <optional>
#include <utility>

#include "base/task_thread.hpp"
#include "base/visible_devices.hpp"
#include "device/cuda_error.hpp"

namespace sortie {
namespace {

/// The oldest architecture that the kernels are built for: 7.5.
constexpr int kMinCapability = 75;

constexpr std::uint64_t kReservedShare = 16;
constexpr std::uint64_t kLeastReservedBytes = 256 << 20;

/// For messages: CUDA may see fewer GPUs than there are.
std::string counted_within() {
  const auto setting = visible_devices_setting();
  return setting ? " within CUDA_VISIBLE_DEVICES=" + *setting : "";
}

/// The result of asking one device.
struct Answer {
  std::optional<DeviceInfo> info;
  std::string refusal;  ///< why it cannot be used
  bool is_full = false;
};

Answer ask_device(int number) {
  const auto refuse = [&](const std::string& why) {
    static_cast<void>(cudaGetLastError());
    return Answer{std::nullopt, "GPU " + std::to_string(number) + ": " + why, false};
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
  if (status != cudaSuccess) {
    Answer answer = refuse(cudaGetErrorString(status));
    answer.is_full = status == cudaErrorMemoryAllocation;
    return answer;
  }
  return {DeviceInfo{number, properties.name, free_bytes, total_bytes}, "", false};
}

}  // namespace

DeviceList list_devices(std::span<const int> wanted) {
  DeviceList list;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    static_cast<void>(cudaGetLastError());
    const bool works = status == cudaSuccess || status == cudaErrorNoDevice;
    list.reason = works ? "no CUDA device found" + counted_within() : cudaGetErrorString(status);
    return list;
  }
  // Contexts take a tenth of a second each and are made at the same time, on threads of their own. If the system has no
  // more threads the caller makes them.
  int current_device = 0;
  static_cast<void>(cudaGetDevice(&current_device));
  std::list<TaskThread> threads;
  std::vector<std::future<Answer>> answers;
  for (int number = 0; number < count; ++number) {
    const bool asked = wanted.empty() || std::find(wanted.begin(), wanted.end(), number) != wanted.end();
    if (asked) answers.push_back(threads.emplace_back().post_outside_team([number] { return ask_device(number); }));
  }
  for (const int number : wanted) {
    if (number < 0 || number >= count) {
      list.reason = "there are " + std::to_string(count) + ", counted from 0" + counted_within();
    }
  }
  for (std::future<Answer>& future : answers) {
    Answer answer = future.get();
    if (answer.info) list.devices.push_back(*std::move(answer.info));
    if (!answer.refusal.empty()) list.reason = std::move(answer.refusal);
    list.is_full = list.is_full || answer.is_full;
  }
  int device = current_device;
  if (cudaGetDevice(&device) == cudaSuccess && device != current_device) {
    static_cast<void>(cudaSetDevice(current_device));
  }
  return list;
}

DeviceList require_devices(std::span<const int> wanted) {
  DeviceList list = list_devices(wanted);
  if (list.is_full && (list.devices.empty() || !wanted.empty())) {
    throw DeviceFullError("no memory is free for a sort: " + list.reason + "; free some, or let the CPU sort");
  }
  for (const int number : wanted) {
    const bool is_there =
        std::ranges::any_of(list.devices, [&](const DeviceInfo& info) { return info.number == number; });
    if (!is_there) throw Error("no GPU number " + std::to_string(number) + " is usable here: " + list.reason);
  }
  return list;
}

void select_device(int device) {
  const cudaError_t status = call_or_fault([&] { return cudaSetDevice(device); });
  if (status != cudaSuccess) check_cuda(status, ("cudaSetDevice(" + std::to_string(device) + ")").c_str());
}

std::uint64_t free_device_bytes() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  return free_bytes;
}

std::uint64_t usable_device_bytes(std::uint64_t free_bytes, std::uint64_t ceiling_bytes) {
  const std::uint64_t reserve = std::min(std::max(free_bytes / kReservedShare, kLeastReservedBytes), free_bytes / 2);
  const std::uint64_t usable = free_bytes - reserve;
  return ceiling_bytes == 0 ? usable : std::min(ceiling_bytes, usable);
}

}  // namespace sortie
