// Which run slots are free. The thread that feeds input waits here until a run has left the device.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace sortie::gpu {

class SlotPool {
 public:
  /// Slots 0 .. count - 1 become free.
  void open(std::size_t count) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = count; i > 0; --i) free_.push_back(i - 1);
  }

  /// Blocks until a slot is free.
  std::size_t acquire() {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [&] { return !free_.empty(); });
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  void release(std::size_t slot) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(slot);
    }
    released_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<std::size_t> free_;
};

}  // namespace sortie::gpu
