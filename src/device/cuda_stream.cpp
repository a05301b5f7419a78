#include "device/cuda_stream.hpp"

#include "device/cuda_error.hpp"

namespace sortie {

CudaEvent::CudaEvent() {
  check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync), "cudaEventCreate");
}

CudaEvent::~CudaEvent() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

void CudaEvent::record(const CudaStream& stream) { record(stream.handle()); }

void CudaEvent::record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }

void CudaEvent::hold_up(cudaStream_t stream) const {
  check_cuda(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
}

void CudaEvent::synchronize() const { check_cuda(cudaEventSynchronize(event_), "waiting for the GPU"); }

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

CudaStream::CudaStream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }

CudaStream::~CudaStream() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void CudaStream::wait_for(const CudaEvent& event) const { event.hold_up(stream_); }

void CudaStream::synchronize() const { check_cuda(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

void CudaStream::settle() const noexcept { static_cast<void>(cudaStreamSynchronize(stream_)); }

}  // namespace sortie
