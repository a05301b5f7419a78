// A thread that keeps its exception for its owner, and works for the team of the thread that starts it.
#pragma once

#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "base/thread_team.hpp"

namespace sortie {

class Worker {
 public:
  /// `on_failure` is called on the worker's thread after `work` threw: it closes queues.
  Worker(std::function<void()> work, std::function<void()> on_failure)
      : thread_([this, work = with_current_team(std::move(work)), on_failure = std::move(on_failure)]() mutable {
          try {
            work();
          } catch (...) {
            failure_ = std::current_exception();
            on_failure();
          }
        }) {}

  /// Waits; does not throw. The owner must have closed the queues that the worker may wait at.
  ~Worker() {
    if (thread_.joinable()) thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Waits until the work is done and rethrows what it threw.
  void join() {
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace sortie
