// Hands bytes from a thread that makes them to one that takes them. A few megabytes may wait in between, so that both
// work at the same time. Behind each sort that has a thread of its own, and in front of those that take what is pushed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

namespace sortie {

class RecordQueue {
 public:
  /// So many bytes may wait, or one stretch that is longer. One of more than 1 MiB is taken where it is, and any if
  /// `most_bytes` is 0.
  explicit RecordQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Passes a copy of `bytes` on; waits for room. If they are long, passes the bytes themselves on, and waits until
  /// they are no longer used. Throws Stopped once close() was called.
  void give(std::span<const std::byte> bytes);
  /// Has take() return an empty stretch behind what was given so far.
  void give_empty();
  /// Nothing more is given: all is done, or there was a failure. Only the first call counts. Thread-safe.
  void end(std::exception_ptr failure = nullptr);

  /// The next stretch that was given, until the next call; empty at the end. Throws the failure, at once.
  std::span<const std::byte> take();
  /// Throws the failure if there was one. Thread-safe.
  void throw_if_failed();
  /// Nothing more is taken. Thread-safe.
  void close();

 private:
  struct Stretch {
    std::vector<std::byte> copy;
    std::span<const std::byte> lent;  // if there is no copy

    std::span<const std::byte> bytes() const { return copy.empty() ? lent : copy; }
  };

  void lend(std::span<const std::byte> bytes);

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Stretch> waiting_;                // guarded by the mutex, as are the others below but `taken_`
  std::vector<std::vector<std::byte>> spare_;  // memory to be used again
  std::size_t waiting_bytes_ = 0;
  std::size_t lent_count_ = 0;  // stretches that are lent
  bool has_ended_ = false;
  bool is_closed_ = false;
  std::exception_ptr failure_;
  Stretch taken_;
};

}  // namespace sortie
