// Hands bytes from a thread that makes them to one that takes them. A few megabytes wait in between, so that both work
// at the same time. Between a sort and the join that takes its records.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

namespace sortie {

class HandOver {
 public:
  /// So many bytes may wait, or one stretch that is longer.
  explicit HandOver(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Passes a copy of `bytes` on. Waits for room. Throws Stopped once close() was called.
  void give(std::span<const std::byte> bytes);
  /// Nothing more is given: all is done, or there was a failure.
  void end(std::exception_ptr failure = nullptr);

  /// The next stretch that was given, until the next call; empty at the end. Throws the failure, at once.
  std::span<const std::byte> take();
  /// Nothing more is taken. Thread-safe.
  void close();

 private:
  using Stretch = std::vector<std::byte>;

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Stretch> waiting_;  // guarded by the mutex, as are the others below but `taken_`
  std::vector<Stretch> spare_;   // memory to be used again
  std::size_t waiting_bytes_ = 0;
  bool has_ended_ = false;
  bool is_closed_ = false;
  std::exception_ptr failure_;
  Stretch taken_;
};

}  // namespace sortie
