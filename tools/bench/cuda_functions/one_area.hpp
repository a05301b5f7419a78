// Scratch for Thrust, which allocates in every call: the same memory again and again, so that no allocation is timed.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/error.hpp>

#include "device/device_memory.hpp"

namespace sortie::bench {

/// Calls of one stream follow each other, so they may share it. Several pieces of one call lie behind each other.
class OneArea {
 public:
  using value_type = char;

  explicit OneArea(std::uint64_t bytes) : buffer_(bytes) {}

  /// Throws Error if the area is too small.
  char* allocate(std::ptrdiff_t bytes) {
    const std::uint64_t begin = used_;
    used_ += (static_cast<std::uint64_t>(bytes) + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
    if (used_ > buffer_.size_bytes()) throw Error("the area for Thrust is too small");
    ++pieces_;
    return reinterpret_cast<char*>(buffer_.data()) + begin;
  }
  void deallocate(char* /*memory*/, std::size_t /*bytes*/) {
    if (--pieces_ == 0) used_ = 0;
  }

 private:
  DeviceBuffer buffer_;
  std::uint64_t used_ = 0;
  unsigned pieces_ = 0;
};

}  // namespace sortie::bench
