#include "device/device_memory.hpp"

#include <cassert>
#include <string>

#include "device/cuda_error.hpp"

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

Arena::Arena(std::uint64_t capacity_bytes)
    : memory_(capacity_bytes), begin_(memory_.data()), capacity_bytes_(capacity_bytes) {}

Arena::Arena(const Arena& whole, std::uint64_t begin, std::uint64_t capacity_bytes)
    : begin_(whole.begin_ + begin), capacity_bytes_(capacity_bytes) {
  assert(begin % kArenaAlignment == 0 && begin + capacity_bytes <= whole.capacity_bytes_);
}

std::byte* Arena::carve(std::uint64_t bytes) {
  const std::uint64_t taken = arena_bytes(bytes);
  if (taken > capacity_bytes() - used_bytes_) {
    throw DeviceMemoryError("GPU: arena of " + std::to_string(capacity_bytes()) + " bytes has no room for " +
                            std::to_string(bytes) + " more; raise the ceiling on device memory");
  }
  std::byte* data = begin_ + used_bytes_;
  used_bytes_ += taken;
  return data;
}

}  // namespace sortie
