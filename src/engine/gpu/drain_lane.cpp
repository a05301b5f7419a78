#include "engine/gpu/drain_lane.hpp"

#include <algorithm>

#include "device/copy.hpp"

namespace sortie::gpu {

struct DrainLane::Job {
  RecordSorter& sorter;
  const DeviceSpace& space;
  const SortedSlot& sorted;
  const PartConsumer& consumer;
  std::vector<OutputPart> parts;
};

DrainLane::DrainLane(std::uint64_t part_bytes, unsigned threads, DeviceTimeline& timeline)
    : part_bytes_(part_bytes), memory_(2 * part_bytes, threads), timeline_(timeline) {}

void DrainLane::drain(RecordSorter& sorter, const DeviceSpace& space, const SortedSlot& sorted, const CudaEvent& ready,
                      const PartConsumer& consumer) {
  const std::lock_guard lock(busy_);
  gather_stream_.wait_for(ready);
  try {
    pass_on_parts({sorter, space, sorted, consumer, sorter.parts(sorted, gather_stream_)});
    timeline_.collect();
  } catch (...) {
    // The slot and the buffers may be used again once this returns. A failure here is the one being thrown.
    gather_stream_.settle();
    copy_stream_.settle();
    throw;
  }
}

void DrainLane::pass_on_parts(const Job& job) {
  const auto is_long = [&](std::size_t index) { return job.parts[index].bytes() > part_bytes_; };
  if (!job.parts.empty() && !is_long(0)) enqueue(job, 0);
  for (std::size_t i = 0; i < job.parts.size(); ++i) {
    if (i + 1 < job.parts.size() && !is_long(i + 1)) enqueue(job, i + 1);
    if (is_long(i)) {
      pass_on_long_line(job, i);
      continue;
    }
    copied_[i % 2].synchronize();
    job.consumer({pinned(i % 2), static_cast<std::size_t>(job.parts[i].bytes())});
  }
}

void DrainLane::enqueue(const Job& job, std::size_t index) {
  const std::size_t buffer = index % 2;
  const OutputPart& part = job.parts[index];
  const std::byte* source = nullptr;
  {
    const TimedWork work(timeline_, kGatherTrack, part.bytes(), gather_stream_);
    source = job.sorter.gather(job.sorted, part, job.space.parts[buffer], gather_stream_);
  }
  gathered_[buffer].record(gather_stream_);
  copy_stream_.wait_for(gathered_[buffer]);
  {
    const TimedWork work(timeline_, kDownloadTrack, part.bytes(), copy_stream_);
    copy_to_host(pinned(buffer), source, part.bytes(), copy_stream_);
  }
  copied_[buffer].record(copy_stream_);
}

/// Rare, so it does not overlap: the line goes through the buffer of its turn, stride by stride.
void DrainLane::pass_on_long_line(const Job& job, std::size_t index) {
  const OutputPart& part = job.parts[index];
  std::vector<std::byte> line(static_cast<std::size_t>(part.bytes()));
  for (std::uint64_t begin = part.begin; begin < part.end; begin += part_bytes_) {
    const OutputPart range{begin, std::min(begin + part_bytes_, part.end)};
    const std::byte* source = job.sorter.gather(job.sorted, range, job.space.parts[index % 2], gather_stream_);
    copy_to_host(line.data() + (begin - part.begin), source, range.bytes(), gather_stream_);
    gather_stream_.synchronize();
  }
  job.consumer(line);
}

}  // namespace sortie::gpu
