// Device memory with an owner, DeviceBuffer, and the Arena that divides it: the engine allocates once, through the
// arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/size.hpp"

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

/// Every carved piece starts at a multiple of this: what cudaMalloc promises, and enough for any load.
inline constexpr std::uint64_t kArenaAlignment = 256;

/// How much carving `bytes` takes from the arena. Plans add these up.
constexpr std::uint64_t arena_bytes(std::uint64_t bytes) { return round_up(bytes, kArenaAlignment); }

/// All device memory of one engine: a single allocation, carved from front to back by the device plan, so that nothing
/// is allocated while the pipeline runs.
///
///   | carved | carved | carved |      free      |
///   0                      used          capacity
class Arena {
 public:
  /// Allocates on the current device. Throws DeviceMemoryError.
  explicit Arena(std::uint64_t capacity_bytes);

  /// An arena over `capacity_bytes` of `whole`, from `begin` on, a multiple of kArenaAlignment. `whole` must outlive
  /// it, and must not be carved while it is in use.
  Arena(const Arena& whole, std::uint64_t begin, std::uint64_t capacity_bytes);

  /// The next `bytes`, aligned. Valid until clear(). Throws DeviceMemoryError when the arena is used up.
  std::byte* carve(std::uint64_t bytes);

  /// Room for `count` elements of T.
  template <class T>
  T* carve_array(std::uint64_t count) {
    return reinterpret_cast<T*>(carve(count * sizeof(T)));
  }

  /// Takes back all that was carved. Precondition: no queued work uses it.
  void clear() { used_bytes_ = 0; }

  std::uint64_t capacity_bytes() const { return capacity_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_; }

 private:
  DeviceBuffer memory_;  ///< empty if this is a part of another arena
  std::byte* begin_;
  std::uint64_t capacity_bytes_;
  std::uint64_t used_bytes_ = 0;
};

}  // namespace sortie
