// A run that waits in a slot on the device, perhaps still being sorted there.
#pragma once

#include <future>
#include <memory>

#include "engine/engine.hpp"
#include "engine/gpu/formation/formation_state.hpp"

namespace sortie::gpu {

class GpuSortedRun : public SortedRun {
 public:
  /// `sorted`: what the slot holds, once all work for it has been queued.
  GpuSortedRun(std::shared_ptr<FormationState> formation, SlotPool::Slot slot, std::uint64_t record_count,
               std::uint64_t byte_count, std::future<SortedSlot> sorted);
  /// Waits for work on the slot, then gives it back.
  ~GpuSortedRun() override;
  GpuSortedRun(const GpuSortedRun&) = delete;
  GpuSortedRun& operator=(const GpuSortedRun&) = delete;

  std::uint64_t record_count() const override { return record_count_; }
  std::uint64_t byte_count() const override { return byte_count_; }
  void drain(const PartConsumer& consumer) override { drain_home({}, consumer); }
  void drain_home(std::span<std::byte> home, const PartConsumer& consumer) override;

 private:
  std::shared_ptr<FormationState> formation_;
  SlotPool::Slot slot_;
  std::uint64_t record_count_;
  std::uint64_t byte_count_;
  std::future<SortedSlot> sorted_;
};

}  // namespace sortie::gpu
