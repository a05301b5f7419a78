// A point in a stream whose time can be told once it has passed. For observing; CudaEvent is cheaper.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <utility>

#include "device/cuda_stream.hpp"

namespace sortie {

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

}  // namespace sortie
