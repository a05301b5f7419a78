// The way out of the device: sorted records are gathered part by part into two device buffers, copied into
// two pinned ones, and handed on, so that gathering, copying and consuming overlap.
//
//   gather stream   | gather 0 | gather 1 |          | gather 2 | ...
//   copy stream                | copy 0   | copy 1   |          | copy 2
//   consumer                              | part 0   | part 1   | ...
//                   begin()               finish()
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "device/cuda_stream.hpp"
#include "device/pinned_memory.hpp"
#include "engine/engine.hpp"
#include "engine/gpu/chunk/device_space.hpp"
#include "engine/gpu/chunk/record_sorter.hpp"
#include "engine/gpu/staging/device_timeline.hpp"

namespace sortie::gpu {

/// Copies between the device and memory that was pinned in parts: no copy crosses the end of a part
/// (base/memory_region.hpp). Used by the ways in and out of the device.
/// Queued in `stream`, at full speed where the memory is pinned; other memory is copied too, more slowly.
void copy_to_pinned(std::span<std::byte> target, const std::byte* source, const CudaStream& stream);
void copy_from_pinned(std::byte* target, std::span<const std::byte> source, const CudaStream& stream);

class DrainLane {
 public:
  /// Pins two parts for the current device.
  DrainLane(std::uint64_t part_bytes, unsigned threads, DeviceTimeline& timeline);

  std::uint64_t total_bytes() const { return memory_.size_bytes(); }

  /// Passes all records of `sorted` on, once the work before `ready` is done. If `target` is not empty, each part
  /// travels to its position there instead of a pinned buffer; `target` is pinned memory as long as all parts. Lanes
  /// serve one run at a time: a second caller waits. Nothing of this is in flight on return, nor after a throw.
  void drain(RecordSorter& sorter, const DeviceSpace& space, const SortedSlot& sorted, const CudaEvent& ready,
             std::span<std::byte> target, const PartConsumer& consumer);

  /// The same in two steps, for lanes with one user: begin() sends the first parts on their way, finish() passes all
  /// on. The arguments of begin() must stay until finish() has returned or thrown, or abandon() has been called.
  void begin(RecordSorter& sorter, const DeviceSpace& space, const SortedSlot& sorted, const CudaEvent& ready,
             std::span<std::byte> target);
  void finish(const PartConsumer& consumer);
  /// Waits for the parts that are on their way, and drops them. A failure is left to the device's next user.
  void abandon() noexcept;

 private:
  /// The run that is on its way.
  struct Job {
    RecordSorter* sorter = nullptr;
    const DeviceSpace* space = nullptr;
    const SortedSlot* sorted = nullptr;
    std::span<std::byte> target;
    std::vector<OutputPart> parts;
  };

  bool is_long(std::size_t index) const { return job_.parts[index].bytes() > part_bytes_; }
  void send(std::size_t index);
  void deliver(std::size_t index, const PartConsumer& consumer);
  void deliver_long_line(std::size_t index, const PartConsumer& consumer);
  /// Where part `index` goes on the host.
  std::byte* target_of(std::size_t index) const;

  std::uint64_t part_bytes_;
  PinnedBuffer memory_;
  DeviceTimeline& timeline_;
  CudaStream gather_stream_;
  CudaStream copy_stream_;
  std::array<CudaEvent, 2> gathered_;
  std::array<CudaEvent, 2> copied_;
  Job job_;
  std::mutex busy_;
};

}  // namespace sortie::gpu
