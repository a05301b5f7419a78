// A thread that does tasks on one device. Sorting a chunk may have to wait for the device (refinement), and the thread
// that feeds input must not.
#pragma once

#include <future>
#include <type_traits>
#include <utility>

#include "base/task_thread.hpp"
#include "device/device_info.hpp"

namespace sortie {

class DeviceThread {
 public:
  explicit DeviceThread(int device) : device_(device) {}

  /// As TaskThread::post(), with the device selected.
  template <class Work>
  std::future<std::invoke_result_t<Work&>> post(Work work) {
    return thread_.post([device = device_, work = std::move(work)]() mutable {
      select_device(device);
      return work();
    });
  }

 private:
  int device_;
  TaskThread thread_;
};

}  // namespace sortie
