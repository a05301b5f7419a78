// A thread that does tasks in the order in which they are posted, for work that must not hold up the posting thread:
// storing, writing, waiting for a device. Where the system allows no more threads, the posting thread does the tasks.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/thread_team.hpp"

namespace sortie {

class TaskThread {
 public:
  /// The thread starts with the first task. `begin` is called before it, on the new thread: it names the thread.
  explicit TaskThread(std::function<void()> begin = {}) : begin_(std::move(begin)) {}
  /// Waits for the task that is being done, and drops those that have not begun: their futures hold a
  /// std::future_error.
  ~TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  /// Asks the thread to end when it has nothing to do, without waiting: so that several end at the same time. Nothing
  /// may be posted any more.
  void ask_to_end() noexcept;

  /// Does `work` after all that was posted before, in the team of the calling thread. Once a task has thrown, no later
  /// one is done: their futures hold the same exception. `work` is destroyed before the future is ready, so that what
  /// it holds is free by then. The calls of one TaskThread must not overlap.
  template <class Work>
  std::future<std::invoke_result_t<Work&>> post(Work work) {
    return post_outside_team(with_current_team(std::move(work)));
  }

  /// The same for work without parallel loops, which needs no place in the team.
  template <class Work>
  std::future<std::invoke_result_t<Work&>> post_outside_team(Work work) {
    start();
    Tasks one(1);
    auto task = std::make_unique<TaskOf<Work>>(std::move(work));
    auto result = task->result.get_future();
    // From here on nothing fails: a promise that is destroyed unkept may not find memory to say so.
    one.front() = std::move(task);
    enqueue(std::move(one));
    return result;
  }

 private:
  struct Task {
    virtual ~Task() = default;
    /// `failure`: of an earlier task; null if none has failed. A task that throws sets it.
    virtual void run(std::exception_ptr& failure) noexcept = 0;
  };

  template <class Work>
  struct TaskOf final : Task {
    using Result = std::invoke_result_t<Work&>;

    explicit TaskOf(Work given) : work(std::move(given)) {}

    void run(std::exception_ptr& failure) noexcept override {
      if (!failure) {
        try {
          if constexpr (std::is_void_v<Result>) {
            (*work)();
            work.reset();
            result.set_value();
          } else {
            Result value = (*work)();
            work.reset();
            result.set_value(std::move(value));
          }
          return;
        } catch (...) {
          failure = std::current_exception();
        }
      }
      work.reset();
      result.set_exception(failure);
    }

    std::optional<Work> work;
    std::promise<Result> result;
  };

  /// An empty list takes no memory, and none is taken to join two.
  using Tasks = std::list<std::unique_ptr<Task>>;

  void start();
  void enqueue(Tasks one) noexcept;
  void run() noexcept;

  std::function<void()> begin_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  Tasks tasks_;  // that have not begun
  bool is_ending_ = false;
  bool is_refused_ = false;  // the system allows no thread; read by the posting thread alone
  std::exception_ptr dropped_ = std::make_exception_ptr(std::future_error(std::future_errc::broken_promise));
  std::exception_ptr failure_;  // read by the thread that does the tasks alone
  std::thread thread_;
};

}  // namespace sortie
