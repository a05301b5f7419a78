#include "engine/gpu/array/gpu_array_sorter.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

#include "base/worker.hpp"
#include "device/device_info.hpp"
#include "device/peer_copy.hpp"
#include "engine/gpu/array/array_exchange.hpp"
#include "engine/gpu/array/array_plan.hpp"
#include "engine/gpu/array/array_shard.hpp"
#include "engine/gpu/gpu_engine.hpp"

namespace sortie {
namespace {

using Shards = std::vector<std::unique_ptr<gpu::ArrayShard>>;

/// Shorter arrays are sorted before a second GPU has found its share.
constexpr std::uint64_t kLeastShare = std::uint64_t{1} << 22;

/// Does the same for all shards, each on a thread of its own with its device selected.
void for_each_shard(const Shards& shards, const std::function<void(std::size_t)>& work) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    workers.push_back(std::make_unique<Worker>(
        [&, i] {
          select_device(shards[i]->device());
          work(i);
        },
        [] {}));
  }
  for (const auto& worker : workers) worker->join();
}

}  // namespace

GpuArraySorter::GpuArraySorter(std::vector<int> devices, std::uint64_t device_memory_bytes, unsigned threads) {
  assert(!devices.empty());
  const unsigned threads_each = std::max(1U, threads / static_cast<unsigned>(devices.size()));
  for (const int number : devices) {
    allow_peer_access(number, devices);
    GpuEngineOptions options;
    options.device = number;
    options.device_memory_bytes = device_memory_bytes;
    devices_.push_back(std::make_unique<Device>(number, gpu_budget_bytes(options), threads_each, devices.size()));
  }
}

GpuArraySorter::~GpuArraySorter() = default;

unsigned GpuArraySorter::devices_for(std::uint64_t count) const {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(count / kLeastShare, 1, devices_.size()));
}

bool GpuArraySorter::holds(std::uint64_t count, unsigned number_bytes) const {
  const unsigned device_count = devices_for(count);
  const std::uint64_t bytes =
      gpu::array_device_bytes((count + device_count - 1) / device_count, number_bytes, device_count);
  return std::all_of(devices_.begin(), devices_.begin() + device_count,
                     [&](const auto& device) { return bytes <= device->budget_bytes; });
}

void GpuArraySorter::reserve(unsigned device_count, std::uint64_t bytes) {
  for (unsigned d = 0; d < device_count; ++d) {
    Device& device = *devices_[d];
    if (device.arena && device.arena->capacity_bytes() >= bytes) continue;
    select_device(device.number);
    device.arena.reset();
    device.arena = std::make_unique<Arena>(bytes);
  }
}

void GpuArraySorter::sort(const kernels::NumberOrder& order, std::span<const std::byte> input,
                          std::span<std::byte> output) {
  assert(input.size() == output.size());
  has_begun_output_ = false;
  const std::uint64_t count = input.size() / order.bytes;
  if (count == 0) return;
  const unsigned device_count = devices_for(count);
  const std::uint64_t most = (count + device_count - 1) / device_count;
  reserve(device_count, gpu::array_device_bytes(most, order.bytes, device_count));
  const std::vector<std::uint64_t> begins = gpu::array_shares(count, device_count);
  const auto bytes_of = [&](auto bytes, std::size_t i) {
    return bytes.subspan(begins[i] * order.bytes, (begins[i + 1] - begins[i]) * order.bytes);
  };

  Shards shards;
  for (unsigned d = 0; d < device_count; ++d) {
    select_device(devices_[d]->number);
    shards.push_back(std::make_unique<gpu::ArrayShard>(devices_[d]->number, *devices_[d]->arena, order, most,
                                                       device_count, devices_[d]->link));
  }
  for_each_shard(shards, [&](std::size_t i) { shards[i]->sort(bytes_of(input, i)); });
  const std::vector<std::uint64_t> ranks = gpu::array_part_ranks(begins, gpu::array_part(most));
  const gpu::RankCuts cuts =
      device_count > 1 ? gpu::cut_at_ranks(shards, ranks, order.bytes, rank_memory_) : gpu::RankCuts{};
  has_begun_output_ = true;
  for_each_shard(shards, [&](std::size_t i) {
    gpu::ArrayShard& shard = *shards[i];
    shard.download(bytes_of(output, i), [&](const gpu::ArrayShard::Part& part) {
      if (device_count == 1) return shard.own_part(part);
      const auto index = std::ranges::lower_bound(ranks, begins[i] + part.begin) - ranks.begin();
      return shard.gather_part(part, gpu::sequences_of(shards, cuts, static_cast<std::size_t>(index), i));
    });
  });
}

}  // namespace sortie
