// The memory of one run that is kept in RAM: one stretch of addresses. For a device it is made ready on a thread
// of its own: touched and pinned stride by stride, while the run before it is stored; and given back stride by
// stride once its records have been merged. Made by the run store and by run storage that outgrows its first one.
//
//   | stride: pinned | stride: pinned | stride: being touched |      stride |
//   0                                                                  size()
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "base/memory_pin.hpp"
#include "base/memory_region.hpp"

namespace sortie {

class RunMemory {
 public:
  /// Without a pinner the memory stays untouched until it is written. Throws Error if the system has none.
  explicit RunMemory(std::size_t bytes, const MemoryPinner& pin = {});
  /// Ends the preparation at once.
  ~RunMemory();
  RunMemory(const RunMemory&) = delete;
  RunMemory& operator=(const RunMemory&) = delete;

  std::size_t size() const { return region_.size(); }

  /// Waits for the preparation: nothing may be written before. Call once at least.
  std::span<std::byte> wait_until_ready();

  /// Whether all of it is pinned. Precondition: ready.
  bool is_pinned() const { return !pins_.empty() && pins_.back() != nullptr; }

  std::byte* data() const { return region_.data(); }

  /// The range is not used again. What is pinned goes back to the system with the last byte of its stride, other
  /// memory by whole pages. Thread-safe. Precondition: ready; no byte is released twice.
  void release(std::size_t offset, std::size_t bytes) noexcept;

 private:
  void prepare(const MemoryPinner& pin);
  /// How far behind a multiple of kPinStrideBytes the memory begins.
  std::size_t stride_phase() const;
  std::span<std::byte> stride(std::size_t index) const;
  void release_in_stride(std::size_t index, std::size_t bytes) noexcept;

  MemoryRegion region_;
  std::vector<std::unique_ptr<MemoryPin>> pins_;          // of every stride; none without a pinner
  std::vector<std::atomic<std::size_t>> released_bytes_;  // of every stride
  std::atomic<bool> is_stopping_{false};
  std::thread preparer_;
};

}  // namespace sortie
