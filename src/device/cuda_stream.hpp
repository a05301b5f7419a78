// An ordered queue of device work. Streams are non-blocking: none waits for the default stream.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "device/cuda_event.hpp"

namespace sortie {

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
