// Device memory with an owner. The pipeline allocates once, through the arena; tests and start-up
// code use this directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sortie {

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Allocates on the current device, aligned to 256 bytes. Throws DeviceMemoryError. Synchronises.
  explicit DeviceBuffer(std::uint64_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::byte* data() const { return data_; }
  std::uint64_t size_bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace sortie
