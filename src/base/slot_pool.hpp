// Which of a few slots are free, for example buffers that one thread fills and another empties: who wants one waits
// until it is given back.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace sortie {

class SlotPool {
 public:
  /// The slots 0 to `count` - 1, all free. All memory is taken here: giving a slot back cannot fail.
  explicit SlotPool(std::size_t count) {
    free_.reserve(count);
    for (std::size_t i = count; i > 0; --i) free_.push_back(i - 1);
  }
  SlotPool(const SlotPool&) = delete;
  SlotPool& operator=(const SlotPool&) = delete;

  /// A slot that nobody else has while this lives. It must not outlive the pool.
  class Slot {
   public:
    Slot(Slot&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), number_(other.number_) {}
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (pool_ != nullptr) pool_->release(number_);
    }

    std::size_t number() const { return number_; }

   private:
    friend SlotPool;
    Slot(SlotPool& pool, std::size_t number) : pool_(&pool), number_(number) {}

    SlotPool* pool_;  // null once moved from
    std::size_t number_;
  };

  /// Waits until a slot is free: the one that was given back last, at first the lowest.
  Slot acquire() {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [this] { return !free_.empty(); });
    const std::size_t number = free_.back();
    free_.pop_back();
    return {*this, number};
  }

 private:
  void release(std::size_t number) noexcept {
    const std::scoped_lock lock(mutex_);
    free_.push_back(number);
    released_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<std::size_t> free_;
};

}  // namespace sortie
