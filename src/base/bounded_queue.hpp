// Hands items from one thread to another, a few at a time. Either side can close it: a failing worker closes its
// queues, so that nobody waits for it. All memory is taken at construction, so that handing over an item cannot fail,
// not even in a destructor after memory has run out.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sortie {

template <class T>
class BoundedQueue {
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  explicit BoundedQueue(std::size_t capacity = 1) : places_(capacity) {}

  /// Waits while the queue is full. Drops the item and returns false if the queue was closed.
  bool push(T item) noexcept {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || count_ < places_.size(); });
    if (closed_) return false;
    places_[(first_ + count_) % places_.size()].emplace(std::move(item));
    ++count_;
    changed_.notify_all();
    return true;
  }

  /// Waits for an item. Returns nothing once the queue is closed and empty.
  std::optional<T> pop() noexcept {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || count_ > 0; });
    if (count_ == 0) return std::nullopt;
    std::optional<T> item = std::exchange(places_[first_], std::nullopt);
    first_ = (first_ + 1) % places_.size();
    --count_;
    changed_.notify_all();
    return item;
  }

  /// Closes the queue and drops what is in it: for a consumer that fails.
  void abandon() noexcept {
    std::vector<std::optional<T>> dropped;  // outlives the lock: destroying an item may wake a producer
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    count_ = 0;
    dropped.swap(places_);
    changed_.notify_all();
  }

  void close() noexcept {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::vector<std::optional<T>> places_;  // a ring; none once the queue is abandoned
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
};

}  // namespace sortie
