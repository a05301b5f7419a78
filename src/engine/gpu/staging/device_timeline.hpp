// Reports to the observer when a device was busy: timed events before and after the work, turned into host time
// once both have passed (base/device_span.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/device_span.hpp"
#include "device/cuda_stream.hpp"

namespace sortie::gpu {

/// A line of the trace and what its work is called.
struct DeviceTrack {
  std::string_view name;
  DeviceUnit unit;
  const char* stage;
};

inline constexpr DeviceTrack kUploadTrack{"H2D", DeviceUnit::kUpload, "H2D"};
inline constexpr DeviceTrack kSortTrack{"sort stream", DeviceUnit::kKernels, "sort chunk"};
inline constexpr DeviceTrack kMergeTrack{"sort stream", DeviceUnit::kKernels, "merge on device"};
inline constexpr DeviceTrack kGatherTrack{"gather stream", DeviceUnit::kKernels, "gather on device"};
inline constexpr DeviceTrack kDownloadTrack{"D2H", DeviceUnit::kDownload, "D2H"};

/// The timeline of one device. Thread-safe; every caller has the device selected.
class DeviceTimeline {
 public:
  /// Without a sink nothing is recorded. Otherwise waits once for the device, which must be selected.
  DeviceTimeline(int device, DeviceSpanSink* sink);

  /// Hands over the spans that have passed. Call it when the device is idle, or some spans come with the next call.
  void collect();

 private:
  friend class TimedWork;
  struct Span {
    DeviceTrack track{};
    std::uint64_t bytes = 0;
    enum class State : std::uint8_t { kOpen, kClosed, kLost } state = State::kOpen;  ///< kLost: without an end
    TimedEvent begin;
    TimedEvent end;
  };
  Span* open(const DeviceTrack& track, std::uint64_t bytes, const CudaStream& stream);
  /// A failure is left to the device's next user; the span is then dropped.
  void close(Span& span, const CudaStream& stream) noexcept;
  void report(const Span& span) const;

  int device_;
  DeviceSpanSink* sink_;
  std::mutex mutex_;
  CudaStream stream_;
  TimedEvent reference_;
  std::chrono::steady_clock::time_point reference_time_;
  std::deque<std::unique_ptr<Span>> open_spans_;  ///< in the order of their work
  std::vector<std::unique_ptr<Span>> spare_spans_;
};

/// Work that is queued in `stream` between construction and destruction.
class TimedWork {
 public:
  TimedWork(DeviceTimeline& timeline, const DeviceTrack& track, std::uint64_t bytes, const CudaStream& stream)
      : timeline_(timeline), stream_(stream), span_(timeline.open(track, bytes, stream)) {}
  ~TimedWork();
  TimedWork(const TimedWork&) = delete;
  TimedWork& operator=(const TimedWork&) = delete;

 private:
  DeviceTimeline& timeline_;
  const CudaStream& stream_;
  DeviceTimeline::Span* span_;
};

}  // namespace sortie::gpu
