#include "cuda/host/resident_sort.hpp"

#include <memory>
#include <vector>

#include <sortie/cuda/device_shards.hpp>

#include "cuda/device_call.hpp"
#include "kernels/common/scratch_layout.hpp"

namespace sortie::cuda {
namespace {

/// What one GPU has of the array.
struct ShareMemory {
  ShareMemory(const HostItems& items, std::uint64_t count, std::size_t share_count, void* area = nullptr)
      : layout(area) {
    arrays.keys = layout.take<std::byte>(count * items.key_bytes());
    arrays.values = layout.take<std::byte>(count * items.value_bytes());
    scratch_bytes = sort_shards_scratch_bytes(items.type(), items.value_bytes(), count, share_count);
    scratch = layout.take<std::byte>(scratch_bytes);
  }

  kernels::ScratchLayout layout;
  StretchArrays arrays;
  std::size_t scratch_bytes;
  std::byte* scratch;
};

}  // namespace

std::uint64_t resident_bytes(const HostItems& items, std::uint64_t count, std::size_t share_count) {
  return ShareMemory(items, count, share_count).layout.size_bytes();
}

void sort_resident(const HostItems& items, std::span<const DeviceShare> shares) {
  std::vector<std::unique_ptr<DeviceLane>> lanes;
  for (const DeviceShare& share : shares) {
    lanes.push_back(std::make_unique<DeviceLane>(share.device, resident_bytes(items, share.count, shares.size())));
  }
  std::vector<Shard> shards;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const DeviceLane& lane = *lanes[i];
    const std::uint64_t count = shares[i].count;
    const ShareMemory memory(items, count, shares.size(), lane.memory());
    lane.select();
    items.upload({begin, count}, memory.arrays, lane.stream());
    shards.push_back({lane.device(), Keys(memory.arrays.keys, items.type()),
                      Values(memory.arrays.values, items.value_bytes()), count,
                      Scratch(memory.scratch, memory.scratch_bytes), lane.stream()});
    begin += count;
  }
  require_ok(sort_shards(shards, items.order()));
  begin = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const StretchArrays arrays{static_cast<std::byte*>(shards[i].keys.data),
                               static_cast<std::byte*>(shards[i].values.data)};
    lanes[i]->select();
    items.download(arrays, {begin, shares[i].count}, lanes[i]->stream());
    begin += shares[i].count;
  }
  for (const auto& lane : lanes) lane->synchronize();
}

}  // namespace sortie::cuda
