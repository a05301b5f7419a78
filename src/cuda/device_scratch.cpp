#include <sortie/cuda/device_scratch.hpp>

#include <cuda_runtime_api.h>

namespace sortie::cuda {

void* StreamAllocator::allocate(std::size_t bytes, cudaStream_t stream) noexcept {
  void* memory = nullptr;
  const cudaError_t status = pool_ == nullptr ? cudaMallocAsync(&memory, bytes, stream)
                                              : cudaMallocFromPoolAsync(&memory, bytes, pool_, stream);
  if (status == cudaSuccess) return memory;
  if (status == cudaErrorMemoryAllocation) static_cast<void>(cudaGetLastError());
  return nullptr;
}

void StreamAllocator::deallocate(void* memory, std::size_t /*bytes*/, cudaStream_t stream) noexcept {
  static_cast<void>(cudaFreeAsync(memory, stream));
}

}  // namespace sortie::cuda
