#include "engine/gpu/staging/device_timeline.hpp"

#include <exception>
#include <utility>

namespace sortie::gpu {

DeviceTimeline::DeviceTimeline(int device, DeviceSpanSink* sink) : device_(device), sink_(sink) {
  if (sink_ == nullptr) return;
  reference_.record(stream_);
  reference_.synchronize();
  reference_time_ = std::chrono::steady_clock::now();
}

DeviceTimeline::Span* DeviceTimeline::open(const DeviceTrack& track, std::uint64_t bytes, const CudaStream& stream) {
  if (sink_ == nullptr) return nullptr;
  collect();
  const std::lock_guard lock(mutex_);
  if (spare_spans_.empty()) spare_spans_.push_back(std::make_unique<Span>());
  Span& span = *open_spans_.emplace_back(std::move(spare_spans_.back()));
  spare_spans_.pop_back();
  span.track = track;
  span.bytes = bytes;
  span.state = Span::State::kOpen;
  span.begin.record(stream);
  return &span;
}

void DeviceTimeline::close(Span& span, const CudaStream& stream) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    span.end.record(stream);
    span.state = Span::State::kClosed;
  } catch (const std::exception&) {
    span.state = Span::State::kLost;
  }
}

void DeviceTimeline::collect() {
  if (sink_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  while (!open_spans_.empty()) {
    const Span& span = *open_spans_.front();
    if (span.state == Span::State::kOpen) return;
    if (span.state == Span::State::kClosed) {
      if (!span.end.has_passed()) return;
      report(span);
    }
    spare_spans_.push_back(std::move(open_spans_.front()));
    open_spans_.pop_front();
  }
}

void DeviceTimeline::report(const Span& span) const {
  DeviceSpan seen;
  seen.device = device_;
  seen.track = span.track.name;
  seen.unit = span.track.unit;
  seen.stage = span.track.stage;
  seen.begin = reference_time_ + span.begin.since(reference_);
  seen.end = reference_time_ + span.end.since(reference_);
  seen.bytes = span.bytes;
  sink_->add_device_span(seen);
}

TimedWork::~TimedWork() {
  if (span_ != nullptr) timeline_.close(*span_, stream_);
}

}  // namespace sortie::gpu
