// A point on a stream's timeline, to measure the time between two of them.
#pragma once

#include <cuda_runtime_api.h>

#include "device/cuda_error.hpp"

namespace sortie::bench {

class DeviceEvent {
 public:
  DeviceEvent() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~DeviceEvent() { cudaEventDestroy(event_); }
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;

  void record(cudaStream_t stream) const { check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  /// Milliseconds from `begin` to this event. Waits for this event.
  double milliseconds_since(const DeviceEvent& begin) const {
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace sortie::bench
