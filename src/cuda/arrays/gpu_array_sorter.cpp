#include "cuda/arrays/gpu_array_sorter.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <functional>
#include <future>

#include "base/device_error.hpp"
#include "base/size.hpp"
#include "cuda/arrays/array_exchange.hpp"
#include "cuda/arrays/array_plan.hpp"
#include "cuda/arrays/array_shard.hpp"
#include "device/copy.hpp"
#include "device/device_info.hpp"
#include "device/device_thread.hpp"

namespace sortie::cuda {
namespace {

using Shards = std::vector<std::unique_ptr<ArrayShard>>;

/// Least numbers for each GPU: shorter arrays are sorted before a second GPU has found its share.
constexpr std::uint64_t kLeastShare = std::uint64_t{1} << 22;

constexpr int kPlacingAttempts = 4;

/// Does the same for all shards, each on a thread of its own with its device selected.
void for_each_shard(const Shards& shards, const std::function<void(std::size_t)>& work) {
  std::deque<DeviceThread> threads;
  std::vector<std::future<void>> done;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    done.push_back(threads.emplace_back(shards[i]->device()).post([&work, i] { work(i); }));
  }
  for (std::future<void>& shard_done : done) shard_done.get();
}

}  // namespace

GpuArraySorter::GpuArraySorter(std::vector<int> devices, std::uint64_t device_memory_bytes, unsigned threads)
    : ceiling_bytes_(device_memory_bytes) {
  assert(!devices.empty());
  const unsigned threads_each = std::max(1U, threads / static_cast<unsigned>(devices.size()));
  for (const int number : devices) {
    allow_peer_access(number, devices);
    devices_.push_back(std::make_unique<Device>(number, threads_each, devices.size()));
  }
}

GpuArraySorter::~GpuArraySorter() = default;

/// Bytes that the next sort can use: the arena is given back if a larger one is needed.
std::uint64_t GpuArraySorter::room_on(const Device& device) const {
  select_device(device.number);
  const std::uint64_t kept_bytes = device.arena ? device.arena->capacity_bytes() : 0;
  return std::max(kept_bytes, usable_device_bytes(free_device_bytes() + kept_bytes, ceiling_bytes_));
}

/// Chooses the first GPUs with enough room, as many as pay off.
GpuArraySorter::Placing GpuArraySorter::position(std::uint64_t count, unsigned number_bytes) const {
  std::vector<std::uint64_t> rooms;
  for (const auto& device : devices_) rooms.push_back(room_on(*device));
  Placing placing;
  for (auto n = std::clamp<std::uint64_t>(count / kLeastShare, 1, devices_.size()); n > 0; --n) {
    placing = {{}, divide_up(count, n), 0};
    placing.bytes = array_device_bytes(placing.most_count, number_bytes, static_cast<unsigned>(n));
    for (std::size_t d = 0; d < rooms.size() && placing.devices.size() < n; ++d) {
      if (rooms[d] >= placing.bytes) placing.devices.push_back(devices_[d].get());
    }
    if (placing.devices.size() == n) return placing;
  }
  throw DeviceFullError("an array of " + format_size(count * number_bytes) + " takes " + format_size(placing.bytes) +
                        " of a GPU's memory, and at most " + format_size(std::ranges::max(rooms)) + " can be used");
}

/// Others may take memory between the question and the allocation: then it tries again with what is free by then.
GpuArraySorter::Placing GpuArraySorter::reserve(std::uint64_t count, unsigned number_bytes) {
  for (int attempt = 1;; ++attempt) {
    Placing placing = position(count, number_bytes);
    try {
      for (Device* const device : placing.devices) {
        if (device->arena && device->arena->capacity_bytes() >= placing.bytes) continue;
        select_device(device->number);
        device->arena.reset();
        device->arena = std::make_unique<Arena>(placing.bytes);
      }
      return placing;
    } catch (const DeviceMemoryError&) {
      if (attempt == kPlacingAttempts) throw;
    }
  }
}

void GpuArraySorter::sort(const kernels::NumberOrder& order, std::span<const std::byte> input,
                          std::span<std::byte> output) {
  assert(input.size() == output.size());
  has_begun_output_ = false;
  const std::uint64_t count = input.size() / order.bytes;
  if (count == 0) return;
  const Placing placing = reserve(count, order.bytes);
  const std::uint64_t most = placing.most_count;
  const auto device_count = static_cast<unsigned>(placing.devices.size());
  const std::vector<std::uint64_t> begins = array_shares(count, device_count);
  const auto bytes_of = [&](auto bytes, std::size_t i) {
    return bytes.subspan(begins[i] * order.bytes, (begins[i + 1] - begins[i]) * order.bytes);
  };

  Shards shards;
  for (Device* const device : placing.devices) {
    select_device(device->number);
    shards.push_back(
        std::make_unique<ArrayShard>(device->number, *device->arena, order, most, device_count, device->link));
  }
  for_each_shard(shards, [&](std::size_t i) { shards[i]->sort(bytes_of(input, i)); });
  const std::vector<std::uint64_t> ranks = array_part_ranks(begins, array_part(most));
  const RankCuts cuts = device_count > 1 ? cut_at_ranks(shards, ranks, order.bytes, rank_memory_) : RankCuts{};
  has_begun_output_ = true;
  for_each_shard(shards, [&](std::size_t i) {
    ArrayShard& shard = *shards[i];
    shard.download(bytes_of(output, i), [&](const ArrayShard::Part& part) {
      if (device_count == 1) return shard.own_part(part);
      const auto index = std::ranges::lower_bound(ranks, begins[i] + part.begin) - ranks.begin();
      return shard.gather_part(part, sequences_of(shards, cuts, static_cast<std::size_t>(index), i));
    });
  });
}

}  // namespace sortie::cuda
