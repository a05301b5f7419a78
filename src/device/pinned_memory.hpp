// Host memory that devices copy from and to at full speed: buffers that are allocated pinned, memory of others that is
// registered, and whether memory is pinned, or not of the host at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/memory_region.hpp"

namespace sortie {

/// Whether the GPU can copy to and from `memory` by itself: allocated by cudaHostAlloc or registered, as far
/// as its first and last byte show.
bool is_pinned(std::span<const std::byte> memory);

/// Whether the CPU cannot read it: memory of a device that is not managed.
bool is_device_memory(const void* memory);

/// Host memory that the GPU copies to and from at full speed. It is made of huge pages, touched by several threads and
/// then registered, which is six times faster than cudaHostAlloc. Where that is not possible it is plain cudaHostAlloc
/// memory.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  /// Page-aligned memory usable from every device, touched by up to `threads` threads. Throws DeviceError
  /// when the system gives none.
  PinnedBuffer(std::uint64_t bytes, unsigned threads);
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept { swap(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    swap(other);
    return *this;
  }

  std::byte* data() const { return data_; }
  std::uint64_t size_bytes() const { return bytes_; }
  std::span<std::byte> bytes() const { return {data_, static_cast<std::size_t>(bytes_)}; }

 private:
  void swap(PinnedBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(pages_, other.pages_);
  }

  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  MemoryRegion pages_;  ///< registered memory; empty if the memory is cudaHostAlloc's
};

/// Host memory that somebody else owns, registered with CUDA so that the GPUs copy to and from it at full speed. Made
/// by Engine::pin() of the GPU engine.
class RegisteredMemory : public MemoryPin {
 public:
  /// Registers whole pages. Touch them before: then it runs at 60 GB/s, otherwise at 7 (H200). Usable from every
  /// device. Null if the system does not lock that much.
  static std::unique_ptr<RegisteredMemory> make(std::span<std::byte> memory);
  ~RegisteredMemory() override;
  RegisteredMemory(const RegisteredMemory&) = delete;
  RegisteredMemory& operator=(const RegisteredMemory&) = delete;

 private:
  explicit RegisteredMemory(std::byte* begin) : begin_(begin) {}

  std::byte* begin_;
};

}  // namespace sortie
