// What a GPU run former and the sorted runs it has handed out share: it lives until the last of them is
// gone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/slot_pool.hpp"
#include "device/cuda_event.hpp"
#include "device/cuda_stream.hpp"
#include "engine/gpu/chunk/device_plan.hpp"
#include "engine/gpu/chunk/device_space.hpp"
#include "engine/gpu/chunk/record_sorter.hpp"
#include "engine/gpu/staging/device_thread.hpp"
#include "engine/gpu/staging/drain_lane.hpp"

namespace sortie::gpu {

struct FormationState {
  FormationState(int device_number, std::unique_ptr<RecordSorter> record_sorter, std::uint64_t part_bytes,
                 unsigned threads, DeviceTimeline& device_timeline)
      : device(device_number),
        sorter(std::move(record_sorter)),
        timeline(device_timeline),
        lane(part_bytes, threads, device_timeline),
        sort_thread(std::in_place, device_number) {}

  /// The arena may be carved anew once this is gone, so nothing may still be using it.
  ~FormationState() {
    sort_thread.reset();
    sort_stream.settle();
  }
  FormationState(const FormationState&) = delete;
  FormationState& operator=(const FormationState&) = delete;

  /// Carves the arena by the plan and opens its slots. Once.
  void open(Arena& arena, const RecordTraits& traits, const FormationPlan& formation_plan) {
    plan = formation_plan;
    arena.clear();
    space = carve_space(arena, traits, plan.sizes);
    sorted_events = std::vector<CudaEvent>(plan.sizes.run_slots);
    slots.emplace(plan.sizes.run_slots);
  }
  bool is_open() const { return !space.slots.empty(); }

  int device;
  std::unique_ptr<RecordSorter> sorter;  ///< used by sort_thread, and by the lane's callers for output
  FormationPlan plan;
  DeviceSpace space;
  std::optional<SlotPool> slots;  ///< once opened
  CudaStream sort_stream;
  std::vector<CudaEvent> sorted_events;  ///< per slot: its run is in order
  DeviceTimeline& timeline;
  DrainLane lane;
  std::optional<DeviceThread> sort_thread;
};

}  // namespace sortie::gpu
