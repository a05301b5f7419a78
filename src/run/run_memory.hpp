// The memory of one run in RAM: one stretch of addresses. For a device, a thread of its own touches and pins it stride
// by stride while the run before is stored; it is given back stride by stride once its records are merged. Made by the
// run store, and by run storage that outgrows its first stretch.
//
//   | stride: pinned | stride: pinned | stride: being touched |      stride |
//   0                                                                  size()
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "base/task_thread.hpp"

namespace sortie {

class RunMemory {
 public:
  /// Without a pinner the memory stays untouched until it is written. Throws Error if the system has none.
  explicit RunMemory(std::size_t bytes, const MemoryPinner& pin = {});
  /// Stops the preparation at once.
  ~RunMemory() { is_stopping_ = true; }
  RunMemory(const RunMemory&) = delete;
  RunMemory& operator=(const RunMemory&) = delete;

  std::size_t size() const { return region_.size(); }

  /// Waits for the preparation: nothing may be written before. Call once at least.
  std::span<std::byte> wait_until_ready();

  /// Whether all of it is pinned. Precondition: ready.
  bool is_pinned() const { return !pins_.empty() && pins_.back() != nullptr; }

  std::byte* data() const { return region_.data(); }

  /// Gives back a range that is not used again. Pinned memory goes back to the system with the last byte of its stride,
  /// other memory in whole pages. Thread-safe. Precondition: ready; no byte is released twice.
  void release(std::size_t offset, std::size_t bytes) noexcept;

 private:
  void prepare(const MemoryPinner& pin);
  /// Distance of the memory's begin from the last multiple of kPinStrideBytes.
  std::size_t stride_phase() const;
  std::span<std::byte> stride(std::size_t index) const;
  void release_in_stride(std::size_t index, std::size_t bytes) noexcept;

  MemoryRegion region_;
  std::vector<std::unique_ptr<MemoryPin>> pins_;          // one for every stride; none without a pinner
  std::vector<std::atomic<std::size_t>> released_bytes_;  // one for every stride
  std::atomic<bool> is_stopping_{false};
  std::future<void> prepared_;
  TaskThread preparer_;
};

}  // namespace sortie
