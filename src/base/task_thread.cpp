#include "base/task_thread.hpp"

#include <system_error>

namespace sortie {

TaskThread::~TaskThread() {
  Tasks dropped;
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    dropped.swap(tasks_);
  }
  arrived_.notify_one();
  for (const std::unique_ptr<Task>& task : dropped) task->run(dropped_);
  if (thread_.joinable()) thread_.join();
}

void TaskThread::ask_to_end() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  arrived_.notify_one();
}

void TaskThread::start() {
  if (thread_.joinable() || is_refused_) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    is_refused_ = true;
  }
}

void TaskThread::enqueue(Tasks one) noexcept {
  if (is_refused_) {
    one.front()->run(failure_);
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    tasks_.splice(tasks_.end(), one);
  }
  arrived_.notify_one();
}

void TaskThread::run() noexcept {
  try {
    if (begin_) begin_();
  } catch (...) {
    failure_ = std::current_exception();
  }
  while (true) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return is_ending_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Tasks one;
    one.splice(one.end(), tasks_, tasks_.begin());
    lock.unlock();
    one.front()->run(failure_);
  }
}

}  // namespace sortie
