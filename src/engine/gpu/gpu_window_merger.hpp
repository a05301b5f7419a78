// Phase two on the GPU: the ranges of a window are sent to the device, merged there and gathered into the
// output. A window that the device cannot take whole is split at an exact rank and merged in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "device/cuda_event.hpp"
#include "device/cuda_stream.hpp"
#include "engine/engine.hpp"
#include "engine/gpu/drain_lane.hpp"
#include "engine/gpu/engine_setup.hpp"
#include "engine/gpu/piece_ring.hpp"
#include "engine/gpu/range_split.hpp"
#include "engine/gpu/record_sorter.hpp"
#include "record/record_order.hpp"

namespace sortie::gpu {

class GpuWindowMerger : public WindowMerger {
 public:
  /// Mergers of one engine take turns on the arena: `arena_in_use` is theirs in common.
  GpuWindowMerger(const Format& format, const EngineSetup& setup, Arena& arena, std::mutex& arena_in_use,
                  const MergeBudget& budget);
  /// Waits for transfers from the ring.
  ~GpuWindowMerger() override;
  GpuWindowMerger(const GpuWindowMerger&) = delete;
  GpuWindowMerger& operator=(const GpuWindowMerger&) = delete;

  void merge(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output) override;

 private:
  void merge_or_split(const SortedRanges& ranges, std::span<std::byte> output);
  void merge_single_records(const SortedRanges& ranges, std::span<std::byte> output) const;
  void merge_on_device(const SortedRanges& ranges, std::span<const std::uint64_t> bounds, const DeviceSizes& sizes,
                       std::span<std::byte> output);
  void upload(const SortedRanges& ranges, std::byte* target);

  RecordOrder order_;
  RecordTraits traits_;
  int device_;
  DeviceTimeline& timeline_;
  Arena& arena_;
  std::mutex& arena_in_use_;
  std::uint64_t part_bytes_;
  std::unique_ptr<RecordSorter> sorter_;
  std::optional<PieceRing> ring_;
  std::optional<DrainLane> lane_;
  CudaStream stream_;
  CudaEvent merged_;
};

}  // namespace sortie::gpu
