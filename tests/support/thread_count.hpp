// The threads of this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <thread>

namespace sortie::test {

inline std::size_t thread_count() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

/// Waits up to ten seconds: the system lists a thread for a moment after it has been joined.
inline bool has_no_more_threads_than(std::size_t most) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (thread_count() > most && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return thread_count() <= most;
}

}  // namespace sortie::test
