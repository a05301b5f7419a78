#include "device/copy.hpp"

#include <string>

#include "device/cuda_error.hpp"
#include "device/cuda_fault.hpp"

namespace sortie {
namespace {

void copy(void* target, const void* source, std::uint64_t bytes, cudaMemcpyKind kind, const char* way,
          const CudaStream& stream) {
  const cudaError_t status =
      call_or_fault([&] { return cudaMemcpyAsync(target, source, bytes, kind, stream.handle()); });
  if (status != cudaSuccess) check_cuda(status, ("copying " + std::to_string(bytes) + " bytes " + way).c_str());
}

}  // namespace

void copy_to_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream) {
  copy(target, source, bytes, cudaMemcpyHostToDevice, "to the device", stream);
}

void copy_to_host(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream) {
  copy(target, source, bytes, cudaMemcpyDeviceToHost, "to the host", stream);
}

void copy_on_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream) {
  copy(target, source, bytes, cudaMemcpyDeviceToDevice, "on the device", stream);
}

}  // namespace sortie
