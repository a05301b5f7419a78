#include "device/cuda_event.hpp"

#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"

namespace sortie {

CudaEvent::CudaEvent() {
  check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync), "cudaEventCreate");
}

CudaEvent::~CudaEvent() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

void CudaEvent::record(const CudaStream& stream) {
  check_cuda(cudaEventRecord(event_, stream.handle()), "cudaEventRecord");
}

void CudaEvent::synchronize() const { check_cuda(cudaEventSynchronize(event_), "waiting for the GPU"); }

}  // namespace sortie
