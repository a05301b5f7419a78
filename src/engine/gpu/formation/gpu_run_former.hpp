// Phase one on the GPU: pieces travel through the pinned ring into a slot; when enough for a chunk has been
// sent, its sort is queued behind the transfer; when the run is finished, its chunks are merged. Feeding,
// transfers, sorting and the drain of the run before all overlap.
//
//   feeding thread   next_piece, commit_piece ... | finish_run | next run, into the other slot ...
//   upload stream      | piece | piece | piece | piece |
//   sort thread, stream                | sort chunk 0 |  | sort chunk 1 | merge |
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/slot_pool.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_thread.hpp"
#include "device/piece_ring.hpp"
#include "engine/engine.hpp"
#include "engine/gpu/chunk/device_plan.hpp"
#include "engine/gpu/chunk/device_space.hpp"
#include "engine/gpu/chunk/record_sorter.hpp"
#include "engine/gpu/staging/drain_lane.hpp"
#include "engine/gpu/staging/staging_plan.hpp"

namespace sortie::gpu {

/// What a GPU run former and the sorted runs that it has handed out share. It lives until the last of them is gone.
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

/// A run that waits in a slot on the device, perhaps still being sorted there.
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
  void drain(const PartConsumer& consumer) override { drain_into({}, consumer); }
  void drain_into(std::span<std::byte> target, const PartConsumer& consumer) override;

 private:
  std::shared_ptr<FormationState> formation_;
  SlotPool::Slot slot_;
  std::uint64_t record_count_;
  std::uint64_t byte_count_;
  std::future<SortedSlot> sorted_;
};

class GpuRunFormer : public RunFormer {
 public:
  /// Takes the whole arena. Lines: it is carved when the first piece has told how long they are.
  GpuRunFormer(const Format& format, const EngineOptions& engine_options, Arena& arena, const FormationBudget& budget);
  /// Waits for transfers from the ring.
  ~GpuRunFormer() override;
  GpuRunFormer(const GpuRunFormer&) = delete;
  GpuRunFormer& operator=(const GpuRunFormer&) = delete;

  std::span<std::byte> next_piece() override;
  std::uint64_t max_piece_records() const override;
  std::uint64_t run_bytes() const override;
  std::span<std::byte> next_large_piece(std::size_t bytes) override;
  void commit_piece(std::size_t bytes, std::uint64_t record_count) override;
  std::unique_ptr<SortedRun> finish_run() override;

 private:
  /// How far the current run has got, in whole records from the slot's start.
  struct Progress {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
  };

  FormationRequest request_for(std::uint64_t line_bytes) const;
  std::uint64_t most_piece_bytes() const;
  void open(std::uint64_t line_bytes);
  void enter_slot();
  bool has_room_for_lines() const;
  void upload(std::size_t bytes);
  bool chunk_is_full() const;
  void end_chunk(bool last);
  Extent extent_to_prepare(std::uint64_t sort_end) const;

  RecordTraits traits_;
  Arena& arena_;
  FormationBudget budget_;
  std::uint64_t part_bytes_;
  std::shared_ptr<FormationState> formation_;
  std::uint64_t first_piece_records_ = 0;  ///< lines: most in the first piece, whatever plan follows
  std::optional<PieceRing> ring_;
  std::vector<std::byte> large_piece_;  ///< not empty: holds the piece that was offered last
  CudaStream upload_stream_;

  std::optional<SlotPool::Slot> slot_;             ///< slot of the current run
  Progress landed_;                                ///< records sent to the slot
  Progress prepared_;                              ///< those of them handed to the sorter's prepare()
  std::uint64_t chunk_first_byte_ = 0;             ///< landed_.bytes when the last chunk ended
  std::vector<std::uint64_t> chunk_bounds_ = {0};  ///< records at which chunks end
};

}  // namespace sortie::gpu
