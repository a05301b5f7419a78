#include "device/timed_event.hpp"

#include "device/cuda_error.hpp"

namespace sortie {

TimedEvent::TimedEvent() { check_cuda(cudaEventCreateWithFlags(&event_, cudaEventBlockingSync), "cudaEventCreate"); }

TimedEvent::~TimedEvent() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

void TimedEvent::record(const CudaStream& stream) {
  check_cuda(cudaEventRecord(event_, stream.handle()), "cudaEventRecord");
}

void TimedEvent::synchronize() const { check_cuda(cudaEventSynchronize(event_), "waiting for the GPU"); }

bool TimedEvent::has_passed() const noexcept { return cudaEventQuery(event_) == cudaSuccess; }

std::chrono::nanoseconds TimedEvent::since(const TimedEvent& earlier) const {
  float milliseconds = 0;
  check_cuda(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "cudaEventElapsedTime");
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double, std::milli>(milliseconds));
}

}  // namespace sortie
