#include "engine/gpu/staging/task_thread.hpp"

#include "device/device_info.hpp"

namespace sortie::gpu {

TaskThread::TaskThread(int device) : thread_([this, device] { run(device); }) {}

void TaskThread::close() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  arrived_.notify_one();
  thread_.join();
}

void TaskThread::enqueue(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  arrived_.notify_one();
}

void TaskThread::run(int device) {
  try {
    select_device(device);
  } catch (...) {
    failure_ = std::current_exception();
  }
  for (;;) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
}

}  // namespace sortie::gpu
