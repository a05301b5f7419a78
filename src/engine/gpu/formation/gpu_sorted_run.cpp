#include "engine/gpu/formation/gpu_sorted_run.hpp"

#include <exception>
#include <utility>

#include "device/device_info.hpp"

namespace sortie::gpu {

GpuSortedRun::GpuSortedRun(std::shared_ptr<FormationState> formation, SlotPool::Slot slot, std::uint64_t record_count,
                           std::uint64_t byte_count, std::future<SortedSlot> sorted)
    : formation_(std::move(formation)),
      slot_(std::move(slot)),
      record_count_(record_count),
      byte_count_(byte_count),
      sorted_(std::move(sorted)) {}

GpuSortedRun::~GpuSortedRun() {
  if (sorted_.valid()) {
    sorted_.wait();
    try {
      formation_->sorted_events[slot_.number()].synchronize();
    } catch (const std::exception&) {
      // A run that is thrown away need not have been sorted; whoever uses the device next meets the failure.
    }
  }
}

void GpuSortedRun::drain_home(std::span<std::byte> home, const PartConsumer& consumer) {
  select_device(formation_->device);
  const SortedSlot sorted = sorted_.get();
  formation_->lane.drain(*formation_->sorter, formation_->space, sorted, formation_->sorted_events[slot_.number()],
                         home, consumer);
}

}  // namespace sortie::gpu
