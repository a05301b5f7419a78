// One thread that runs device work in order. Sorting a chunk may have to wait for the device (refinement),
// and the thread that feeds input must not.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/thread_team.hpp"

namespace sortie::gpu {

class TaskThread {
 public:
  /// Starts the thread, on which `device` is selected.
  explicit TaskThread(int device);
  ~TaskThread() { close(); }
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  /// Runs `work`, for the team of the calling thread, after all that was posted before. Once a task has thrown, no
  /// later one is run: their futures hold the same exception.
  template <class Work>
  std::future<std::invoke_result_t<Work>> post(Work work) {
    using Result = std::invoke_result_t<Work>;
    auto task = std::make_shared<std::packaged_task<Result()>>(
        [this, work = with_current_team(std::move(work))]() mutable -> Result {
          if (failure_) std::rethrow_exception(failure_);
          try {
            return work();
          } catch (...) {
            failure_ = std::current_exception();
            throw;
          }
        });
    std::future<Result> result = task->get_future();
    enqueue([task] { (*task)(); });
    return result;
  }

  /// Runs what was posted to its end. Nothing may be posted afterwards.
  void close();

 private:
  void enqueue(std::function<void()> task);
  void run(int device);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::exception_ptr failure_;  ///< touched by the thread alone
  std::thread thread_;
};

}  // namespace sortie::gpu
