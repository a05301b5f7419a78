// Keeps the memory of a run from being refilled before the run has been drained.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

namespace sortie {

class SlotGate {
 public:
  /// Closes the gate until the returned lease is gone. Precondition: open.
  std::shared_ptr<void> close() {
    {
      const std::scoped_lock lock(mutex_);
      open_ = false;
    }
    return {this, [](SlotGate* gate) { gate->open(); }};
  }

  void wait_until_open() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }

 private:
  void open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = true;
};

}  // namespace sortie
