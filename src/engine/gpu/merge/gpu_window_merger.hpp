// Phase two on the GPU: the ranges of a window are sent to the device from where they lie, merged there and gathered
// for output. Two windows are under way at a time, in one half of the device memory each. A window that a half cannot
// take is split at an exact rank, and its parts are merged into host memory in turn.
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

#include "device/cuda_event.hpp"
#include "device/cuda_stream.hpp"
#include "engine/engine.hpp"
#include "engine/gpu/chunk/record_sorter.hpp"
#include "engine/gpu/merge/merge_halves.hpp"
#include "engine/gpu/merge/range_split.hpp"
#include "engine/gpu/staging/drain_lane.hpp"
#include "engine/gpu/staging/engine_setup.hpp"
#include "engine/host_windows.hpp"
#include "record/record_order.hpp"

namespace sortie::gpu {

class GpuWindowMerger : public WindowMerger {
 public:
  /// `halves` are the engine's, and outlive this.
  GpuWindowMerger(const Format& format, const EngineSetup& setup, MergeHalves& halves, const MergeBudget& budget);

  std::uint64_t best_window_bytes() const override;
  /// Ranges are sent at full speed if they are pinned.
  std::unique_ptr<MergedWindow> merge(std::span<const std::span<const std::byte>> ranges) override;

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

  /// Null if the ranges are too much for a half.
  std::unique_ptr<DeviceWindow> merge_on_device(const SortedRanges& ranges);
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
