#include <sortie/cuda/host_arrays.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "base/device_error.hpp"
#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "cuda/arrays/gpu_array_sorter.hpp"
#include "cuda/device_call.hpp"
#include "cuda/host/external_plan.hpp"
#include "cuda/host/external_sort.hpp"
#include "cuda/host/host_array_items.hpp"
#include "cuda/host/host_plan.hpp"
#include "cuda/host/resident_sort.hpp"
#include "device/cuda_error.hpp"
#include "device/device_info.hpp"
#include "device/pinned_memory.hpp"

namespace sortie::cuda {
namespace {

/// Fewer items are sorted before a second GPU has got its share.
constexpr std::uint64_t kLeastShare = 1 << 20;

/// Fewer bytes have arrived before threads and buffers of a pipeline are there.
constexpr std::uint64_t kLeastPipelinedBytes = 64 << 20;

/// Others may take memory between the question what is free and the allocation: then it is asked again.
constexpr int kAttempts = 4;

std::vector<int> devices_of(const HostSortResources& resources) {
  std::vector<int> devices(resources.devices.begin(), resources.devices.end());
  if (devices.empty()) check_cuda(cudaGetDevice(&devices.emplace_back()), "cudaGetDevice");
  for (const int device : devices) require_device(device);
  return devices;
}

/// Bytes that may be used on each device; one that is named twice has half as much for each.
std::vector<std::uint64_t> rooms_on(std::span<const int> devices, std::uint64_t ceiling_bytes) {
  std::vector<std::uint64_t> rooms;
  for (const int device : devices) {
    select_device(device);
    const auto times = static_cast<std::uint64_t>(std::ranges::count(devices, device));
    rooms.push_back(usable_device_bytes(free_device_bytes(), ceiling_bytes) / times);
  }
  return rooms;
}

/// The shares of an array that fits into the memory of the devices; empty if it does not.
std::vector<DeviceShare> resident_shares(const HostItems& items, std::span<const int> devices,
                                         std::span<const std::uint64_t> rooms) {
  const auto bytes = [&](std::uint64_t count) { return resident_bytes(items, count, devices.size()); };
  std::vector<std::uint64_t> items_of_rooms;
  for (const std::uint64_t room : rooms) items_of_rooms.push_back(most_items(room, items.count(), bytes));
  const std::vector<std::uint64_t> counts = share_by_room(items.count(), items_of_rooms, kLeastShare);
  std::vector<DeviceShare> shares;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) shares.push_back({devices[i], counts[i]});
  }
  return shares;
}

void sort_once(const HostItems& items, std::span<const int> devices, std::uint64_t ceiling_bytes) {
  const std::vector<std::uint64_t> rooms = rooms_on(devices, ceiling_bytes);
  const std::vector<DeviceShare> shares = resident_shares(items, devices, rooms);
  if (!shares.empty()) return sort_resident(items, shares);
  sort_external(items, devices, std::ranges::min(rooms) / kLanesOfDevice);
}

void sort_items(const HostItems& items, std::span<const int> devices, std::uint64_t ceiling_bytes) {
  for (int attempt = 1;; ++attempt) {
    try {
      return sort_once(items, devices, ceiling_bytes);
    } catch (const DeviceMemoryError& error) {
      if (attempt == kAttempts) throw Refused{Status(StatusCode::kOutOfMemory, error.what())};
    }
  }
}

/// A thread of the CPU that reads device memory ends the program.
void require_host_memory(const char* name, const void* data) {
  if (!is_device_memory(data)) return;
  throw Refused{Status(StatusCode::kInvalidArgument,
                       std::string(name) + " lie in device memory: sort them there by radix_sort() or argsort()")};
}

bool are_distinct(std::vector<int> devices) {
  std::ranges::sort(devices);
  return std::ranges::adjacent_find(devices) == devices.end();
}

/// Whether the pipeline of the GPU engine's sort of arrays takes these: it sorts chunks while others arrive, sends the
/// result back packed, and takes numbers alone, floats in totalOrder.
bool takes_pipeline(const Keys& keys, const Values& values, std::uint64_t count, const std::vector<int>& devices) {
  const std::size_t key_bytes = bytes_of(keys.type);
  return values.bytes == 0 && key_bytes >= 4 && !is_by_value(keys.type) && count * key_bytes >= kLeastPipelinedBytes &&
         reinterpret_cast<std::uintptr_t>(keys.data) % key_bytes == 0 && are_distinct(devices);
}

/// Returns false, with nothing changed, if the numbers are more than the devices hold or memory for them ran out.
bool sort_in_pipeline(const Keys& keys, std::uint64_t count, Order order, const std::vector<int>& devices,
                      std::uint64_t ceiling_bytes) {
  const std::span<std::byte> numbers(static_cast<std::byte*>(keys.data), count * bytes_of(keys.type));
  const unsigned threads = available_threads();
  return ThreadTeam(threads).run([&] {
    std::optional<GpuArraySorter> sorter;
    try {
      sorter.emplace(devices, ceiling_bytes, threads);
      sorter->sort(number_order(keys.type, order), numbers, numbers);
      return true;
    } catch (const DeviceFullError&) {
      return false;
    } catch (const DeviceMemoryError&) {
      if (sorter && sorter->has_begun_output()) throw;
      return false;
    }
  });
}

}  // namespace

Status sort_host_array(Keys keys, Values values, std::uint64_t count, Order order,
                       const HostSortResources& resources) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require_order(order);
    require_count(count);
    require_values(values.bytes, count);
    require_arrays({{"keys", keys.data, count * bytes_of(keys.type), Access::kWrite, 1},
                    {"values", values.data, count * values.bytes, Access::kWrite, 1}});
    if (count == 0) return;
    const KeptDevice kept;
    require_host_memory("keys", keys.data);
    require_host_memory("values", values.data);
    const std::vector<int> devices = devices_of(resources);
    const std::uint64_t ceiling_bytes = resources.device_memory_bytes;
    if (takes_pipeline(keys, values, count, devices) && sort_in_pipeline(keys, count, order, devices, ceiling_bytes)) {
      return;
    }
    sort_items({keys, values, count, order}, devices, ceiling_bytes);
  });
}

Status argsort_host_array(ConstKeys keys, Positions positions, std::uint64_t count, Order order,
                          const HostSortResources& resources) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require_order(order);
    require_count(count);
    require_positions(positions, count);
    require_arrays({read_only("keys", keys.data, count * bytes_of(keys.type)),
                    {"positions", positions.data, count * positions.bytes, Access::kWrite, 1}});
    if (count == 0) return;
    const KeptDevice kept;
    require_host_memory("keys", keys.data);
    require_host_memory("positions", positions.data);
    sort_items({keys, positions, count, order}, devices_of(resources), resources.device_memory_bytes);
  });
}

}  // namespace sortie::cuda
