// The threads of this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <thread>

namespace sortie::test {

inline std::size_t listed_threads() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

/// Waits up to ten seconds: the system lists a thread for a moment after it has been joined.
inline bool has_no_more_threads_than(std::size_t most) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (listed_threads() > most && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return listed_threads() <= most;
}

/// The threads that there are before a test. The thread sanitizer starts one of its own with the first that is started.
inline std::size_t thread_count() {
  std::thread([] {}).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return listed_threads();
}

}  // namespace sortie::test
