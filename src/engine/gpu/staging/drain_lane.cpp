#include "engine/gpu/staging/drain_lane.hpp"

#include <algorithm>
#include <cstdint>

#include "base/memory_region.hpp"
#include "device/copy.hpp"

namespace sortie::gpu {
namespace {

/// Calls copy(offset, bytes) for the shares of `memory` that lie in one part each.
template <class Copy>
void copy_by_strides(std::span<const std::byte> memory, Copy copy) {
  const std::size_t phase = reinterpret_cast<std::uintptr_t>(memory.data()) % kPinStrideBytes;
  for (std::size_t begin = 0; begin < memory.size();) {
    const std::size_t end =
        std::min(memory.size(), (phase + begin) / kPinStrideBytes * kPinStrideBytes + kPinStrideBytes - phase);
    copy(begin, end - begin);
    begin = end;
  }
}

}  // namespace

void copy_to_pinned(std::span<std::byte> target, const std::byte* source, const CudaStream& stream) {
  copy_by_strides(target, [&](std::size_t offset, std::size_t bytes) {
    copy_to_host(target.data() + offset, source + offset, bytes, stream);
  });
}

void copy_from_pinned(std::byte* target, std::span<const std::byte> source, const CudaStream& stream) {
  copy_by_strides(source, [&](std::size_t offset, std::size_t bytes) {
    copy_to_device(target + offset, source.data() + offset, bytes, stream);
  });
}

DrainLane::DrainLane(std::uint64_t part_bytes, unsigned threads, DeviceTimeline& timeline)
    : part_bytes_(part_bytes), memory_(2 * part_bytes, threads), timeline_(timeline) {}

void DrainLane::drain(RecordSorter& sorter, const DeviceSpace& space, const SortedSlot& sorted, const CudaEvent& ready,
                      std::span<std::byte> target, const PartConsumer& consumer) {
  const std::lock_guard lock(busy_);
  try {
    begin(sorter, space, sorted, ready, target);
  } catch (...) {
    abandon();
    throw;
  }
  finish(consumer);
}

void DrainLane::begin(RecordSorter& sorter, const DeviceSpace& space, const SortedSlot& sorted, const CudaEvent& ready,
                      std::span<std::byte> target) {
  gather_stream_.wait_for(ready);
  job_ = {&sorter, &space, &sorted, target, sorter.parts(sorted, gather_stream_)};
  for (std::size_t i = 0; i < copied_.size(); ++i) send(i);
}

void DrainLane::finish(const PartConsumer& consumer) {
  try {
    for (std::size_t i = 0; i < job_.parts.size(); ++i) {
      deliver(i, consumer);
      send(i + copied_.size());
    }
    timeline_.collect();
    job_ = {};
  } catch (...) {
    // The slot and the buffers may be used again once this returns. A failure here is the one being thrown.
    abandon();
    throw;
  }
}

void DrainLane::abandon() noexcept {
  gather_stream_.settle();
  copy_stream_.settle();
  job_ = {};
}

/// Long lines are sent when it is their turn.
void DrainLane::send(std::size_t index) {
  if (index >= job_.parts.size() || is_long(index)) return;
  const std::size_t buffer = index % 2;
  const OutputPart& part = job_.parts[index];
  const std::byte* source = nullptr;
  {
    const TimedWork work(timeline_, kGatherTrack, part.bytes(), gather_stream_);
    source = job_.sorter->gather(*job_.sorted, part, job_.space->parts[buffer], gather_stream_);
  }
  gathered_[buffer].record(gather_stream_);
  copy_stream_.wait_for(gathered_[buffer]);
  {
    const TimedWork work(timeline_, kDownloadTrack, part.bytes(), copy_stream_);
    copy_to_pinned({target_of(index), static_cast<std::size_t>(part.bytes())}, source, copy_stream_);
  }
  copied_[buffer].record(copy_stream_);
}

void DrainLane::deliver(std::size_t index, const PartConsumer& consumer) {
  if (is_long(index)) {
    deliver_long_line(index, consumer);
    return;
  }
  copied_[index % 2].synchronize();
  consumer({target_of(index), static_cast<std::size_t>(job_.parts[index].bytes())});
}

std::byte* DrainLane::target_of(std::size_t index) const {
  return job_.target.empty() ? memory_.data() + index % 2 * part_bytes_ : job_.target.data() + job_.parts[index].begin;
}

/// Rare, so it does not overlap: the line goes through the device buffer of its turn, stride by stride.
void DrainLane::deliver_long_line(std::size_t index, const PartConsumer& consumer) {
  const OutputPart& part = job_.parts[index];
  std::vector<std::byte> buffer(job_.target.empty() ? static_cast<std::size_t>(part.bytes()) : 0);
  std::byte* const line = job_.target.empty() ? buffer.data() : target_of(index);
  for (std::uint64_t begin = part.begin; begin < part.end; begin += part_bytes_) {
    const OutputPart range{begin, std::min(begin + part_bytes_, part.end)};
    const std::byte* source = job_.sorter->gather(*job_.sorted, range, job_.space->parts[index % 2], gather_stream_);
    copy_to_pinned({line + (begin - part.begin), static_cast<std::size_t>(range.bytes())}, source, gather_stream_);
    gather_stream_.synchronize();
  }
  consumer({line, static_cast<std::size_t>(part.bytes())});
}

}  // namespace sortie::gpu
