#include "device/device_buffer.hpp"

#include <string>

#include "device/cuda_error.hpp"
#include "device/cuda_fault.hpp"

namespace sortie {

DeviceBuffer::DeviceBuffer(std::uint64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* data = nullptr;
  const cudaError_t status = call_or_fault([&] { return cudaMalloc(&data, bytes); });
  if (status != cudaSuccess) check_cuda(status, ("cudaMalloc of " + std::to_string(bytes) + " bytes").c_str());
  data_ = static_cast<std::byte*>(data);
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ != nullptr) cudaFree(data_);
}

}  // namespace sortie
