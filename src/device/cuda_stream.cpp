#include "device/cuda_stream.hpp"

#include "device/cuda_error.hpp"

namespace sortie {

CudaStream::CudaStream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }

CudaStream::~CudaStream() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void CudaStream::wait_for(const CudaEvent& event) const {
  check_cuda(cudaStreamWaitEvent(stream_, event.handle(), 0), "cudaStreamWaitEvent");
}

void CudaStream::synchronize() const { check_cuda(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

void CudaStream::settle() const noexcept { static_cast<void>(cudaStreamSynchronize(stream_)); }

}  // namespace sortie
