// The way out of the device: sorted records are gathered part by part into two device buffers, copied into
// two pinned ones, and handed on, so that gathering, copying and consuming overlap.
//
//   gather stream   | gather 0 | gather 1 |          | gather 2 | ...
//   copy stream                | copy 0   | copy 1   |          | copy 2
//   consumer                              | part 0   | part 1   | ...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "device/cuda_event.hpp"
#include "device/cuda_stream.hpp"
#include "device/pinned_buffer.hpp"
#include "engine/engine.hpp"
#include "engine/gpu/device_space.hpp"
#include "engine/gpu/device_timeline.hpp"
#include "engine/gpu/record_sorter.hpp"

namespace sortie::gpu {

class DrainLane {
 public:
  /// Pins two parts for the current device.
  DrainLane(std::uint64_t part_bytes, unsigned threads, DeviceTimeline& timeline);

  std::uint64_t total_bytes() const { return memory_.size_bytes(); }

  /// Passes all records of `sorted` on, once the work before `ready` is done. Lanes serve one run at a
  /// time: a second caller waits. Nothing of this is in flight on return, nor after a throw.
  void drain(RecordSorter& sorter, const DeviceSpace& space, const SortedSlot& sorted, const CudaEvent& ready,
             const PartConsumer& consumer);

 private:
  struct Job;
  void enqueue(const Job& job, std::size_t index);
  void pass_on_parts(const Job& job);
  void pass_on_long_line(const Job& job, std::size_t index);
  std::byte* pinned(std::size_t buffer) const { return memory_.data() + buffer * part_bytes_; }

  std::uint64_t part_bytes_;
  PinnedBuffer memory_;
  DeviceTimeline& timeline_;
  CudaStream gather_stream_;
  CudaStream copy_stream_;
  std::array<CudaEvent, 2> gathered_;
  std::array<CudaEvent, 2> copied_;
  std::mutex busy_;
};

}  // namespace sortie::gpu
