// A point in a stream that other streams and host threads wait for. It keeps no time, so recording is cheap.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>

namespace sortie {

class CudaStream;

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
  /// Blocks the calling thread, without spinning, until the mark last recorded is passed; returns at once
  /// if there was none. Throws Error, also for failures of the work before the mark.
  void synchronize() const;

  cudaEvent_t handle() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace sortie
