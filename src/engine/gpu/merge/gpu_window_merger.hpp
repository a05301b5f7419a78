// Phase two on the GPU: the ranges of a window are sent to the device from where they lie, merged there and gathered
// for output. Two windows are under way at a time, in one half of the device memory each. A window that a half cannot
// take is split at an exact rank, and its parts are merged into host memory in turn. Lines are counted on the device: a
// window that has too many of them is known only when it has been sent.
//
//   merging thread    | send, merge window 0 | send, merge 1 |          | send, merge 2 |
//   draining thread                          | gather, copy, pass on 0 | gather, ... 1  |
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/size.hpp"
#include "base/slot_pool.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_memory.hpp"
#include "engine/engine.hpp"
#include "engine/gpu/chunk/record_sorter.hpp"
#include "engine/gpu/staging/drain_lane.hpp"
#include "engine/gpu/staging/staging_plan.hpp"
#include "engine/host_windows.hpp"
#include "record/record_order.hpp"

namespace sortie::gpu {

/// Ranges of a window, which are cut in two at a common record where the device cannot take them whole. Pure.
using SortedRanges = std::vector<std::span<const std::byte>>;

/// Range i of `low` and range i of `high` make up range i of what was split.
struct RangeSplit {
  SortedRanges low;
  SortedRanges high;
};

/// Splits at the middle record m of the longest range r that has more than one: what merges before m goes
/// low, m and the rest high, so that merging both in turn merges all. Range i < r is cut at upper_bound(m),
/// i > r at lower_bound(m): equal keys keep the order of their ranges. Nothing if no range has two records.
/// O(K log n) comparisons.
std::optional<RangeSplit> split_ranges(const RecordOrder& order, std::span<const std::span<const std::byte>> ranges);

/// The device memory in which windows are merged: two halves of the engine's arena, so that one window is on its way in
/// while the one before is on its way out. All mergers of an engine share them.
class MergeHalves {
 public:
  static constexpr std::size_t kCount = 2;

  /// `whole` must outlive this, and is not carved while a half is held.
  explicit MergeHalves(const Arena& whole)
      : bytes_(round_down(whole.capacity_bytes() / kCount, kArenaAlignment)),
        halves_{Arena(whole, 0, bytes_), Arena(whole, bytes_, bytes_)} {}

  std::uint64_t half_bytes() const { return bytes_; }

  /// A half that nobody else uses while it is held. Let go of it only when its work is done.
  class Held {
   public:
    /// Waits until a half is free.
    explicit Held(MergeHalves& halves) : halves_(halves), slot_(halves.free_.acquire()) {}

    std::size_t index() const { return slot_.number(); }
    Arena& arena() const { return halves_.halves_[index()]; }

   private:
    MergeHalves& halves_;
    SlotPool::Slot slot_;
  };

 private:
  std::uint64_t bytes_;
  std::array<Arena, kCount> halves_;
  SlotPool free_{kCount};
};

class GpuWindowMerger : public WindowMerger {
 public:
  /// `halves` are the engine's, and outlive this.
  GpuWindowMerger(const Format& format, const EngineOptions& engine_options, MergeHalves& halves,
                  const MergeBudget& budget);

  std::uint64_t best_window_bytes() const override;
  /// Ranges are sent at full speed if they are pinned.
  /// Nobody looks: merged records come by the link, not from a core.
  std::unique_ptr<MergedWindow> merge(std::span<const std::span<const std::byte>> ranges,
                                      const PartConsumer::Look& look, std::span<std::byte> room) override;

 private:
  class DeviceWindow;
  /// What a window needs beside its half of the arena; one for each half.
  struct Lane {
    Lane(std::uint64_t part_bytes, unsigned threads, DeviceTimeline& timeline) : drain(part_bytes, threads, timeline) {}
    DrainLane drain;
    CudaStream stream;
    CudaEvent uploaded;
    CudaEvent merged;
    DeviceSpace space;
  };

  DeviceSizes sizes_of(std::uint64_t byte_count, std::uint64_t record_count, std::size_t range_count) const;
  /// Whether a half can take this.
  bool fits(const DeviceSizes& sizes) const;
  /// Null if the ranges are too much for a half.
  std::unique_ptr<DeviceWindow> merge_on_device(const SortedRanges& ranges);
  std::vector<std::uint64_t> record_bounds(const std::byte* records, std::vector<std::uint64_t> bounds, Arena& arena,
                                           const CudaStream& stream) const;
  void merge_into(const SortedRanges& ranges, std::span<std::byte> output);
  void merge_single_records(const SortedRanges& ranges, std::span<std::byte> output) const;
  void upload(const SortedRanges& ranges, std::byte* target, const CudaStream& stream);

  RecordOrder order_;
  RecordTraits traits_;
  int device_;
  DeviceTimeline& timeline_;
  MergeHalves& halves_;
  std::uint64_t part_bytes_;
  std::unique_ptr<RecordSorter> sorter_;
  std::array<std::optional<Lane>, MergeHalves::kCount> lanes_;
  HostWindows host_windows_;
};

}  // namespace sortie::gpu
