// Hands items from one thread to another, a few at a time. Either side can close it: a failing worker
// closes its queues, so that nobody waits for it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace sortie {

template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity = 1) : capacity_(capacity) {}

  /// Waits while the queue is full. False, and the item is dropped, if it was closed.
  bool push(T item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || items_.size() < capacity_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  /// Waits for an item. Nothing once the queue is closed and empty.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

  /// Closes the queue and drops what is in it: for a consumer that fails.
  void abandon() {
    std::deque<T> dropped;  // outlives the lock: destroying an item may wake a producer
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    dropped.swap(items_);
    changed_.notify_all();
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace sortie
