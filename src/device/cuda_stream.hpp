// Ordered queues of device work, and events in them, to wait for and to measure time with. Streams are non-blocking:
// none waits for the default stream.
#pragma once

#include <chrono>
#include <utility>

#include <cuda_runtime_api.h>

namespace sortie {

class CudaStream;

/// A point in a stream that other streams and host threads wait for. It keeps no time, so recording is cheap.
/// Owns an event of the device that is current at construction.
class CudaEvent {
 public:
  /// Throws Error.
  CudaEvent();
  ~CudaEvent();
  CudaEvent(CudaEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  CudaEvent& operator=(CudaEvent&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  /// Marks the end of all work in `stream` so far. Asynchronous.
  void record(const CudaStream& stream);
  /// The same for a stream that somebody else owns.
  void record(cudaStream_t stream);
  /// Later work in `stream` waits for the mark last recorded. Asynchronous.
  void hold_up(cudaStream_t stream) const;
  /// Blocks the calling thread, without spinning, until the mark last recorded is passed; returns at once
  /// if there was none. Throws Error, also for failures of the work before the mark.
  void synchronize() const;

  cudaEvent_t handle() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A point in a stream whose time can be read once it has passed. For observing; CudaEvent is cheaper.
/// Owns an event of the device that is current at construction.
class TimedEvent {
 public:
  /// Throws Error.
  TimedEvent();
  ~TimedEvent();
  TimedEvent(TimedEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  TimedEvent& operator=(TimedEvent&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  /// Marks the end of all work in `stream` so far. Asynchronous.
  void record(const CudaStream& stream);
  void synchronize() const;
  /// Whether the mark last recorded is passed. Failures of the work before it are left to whoever waits for that.
  bool has_passed() const noexcept;
  /// Time from `earlier`'s mark to this one's. Precondition: both have passed.
  std::chrono::nanoseconds since(const TimedEvent& earlier) const;

 private:
  cudaEvent_t event_ = nullptr;
};

/// Owns a stream of the device that is current at construction.
class CudaStream {
 public:
  /// Throws Error.
  CudaStream();
  /// Does not wait: work still queued runs to its end.
  ~CudaStream();
  CudaStream(CudaStream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  CudaStream& operator=(CudaStream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }

  /// Later work in this stream waits for the mark last recorded in `event`. Asynchronous.
  void wait_for(const CudaEvent& event) const;
  /// Blocks until all work queued so far is done. Throws Error, also for that work's failures.
  void synchronize() const;
  /// The same for destructors: failures are left to whoever uses the device next.
  void settle() const noexcept;

  cudaStream_t handle() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace sortie
