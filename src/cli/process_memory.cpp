#include "cli/process_memory.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <system_error>
#include <thread>

namespace sortie::cli {
namespace {

/// The stack size that the tests of memory ceilings give all threads.
constexpr std::size_t kLeastBytes = 1 << 20;
constexpr std::size_t kUsualBytes = 8 << 20;

bool is_limited(int resource, rlim_t least) {
  rlimit limit{};
  return ::getrlimit(resource, &limit) == 0 && limit.rlim_cur < least;
}

/// Each of these takes a mapping of its own. Left alone, the allocator raises this size up to 32 MiB with the first
/// blocks that are freed, and the gaps between long records stay in its heap.
constexpr int kMappedBytes = 1 << 20;

/// Stacks are part of both.
bool memory_is_limited() { return is_limited(RLIMIT_AS, RLIM_INFINITY) || is_limited(RLIMIT_DATA, RLIM_INFINITY); }

/// False if no thread can be started. Signals go to the new thread: the calling one only waits.
bool run_on_thread(const std::function<void()>& work) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto restore = [&before] { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); };
  bool is_started = false;
  try {
    std::thread thread([&] {
      restore();
      work();
    });
    is_started = true;
    thread.join();
  } catch (const std::system_error&) {
    // The caller then does the work without a new thread.
  }
  restore();
  return is_started;
}

}  // namespace

void set_up_allocator() noexcept {
  ::mallopt(M_MMAP_THRESHOLD, kMappedBytes);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kMappedBytes);
  if (is_limited(RLIMIT_AS, RLIM_INFINITY)) ::mallopt(M_ARENA_MAX, 1);  // each arena reserves 64 MiB
}

// The C library gives every thread a stack as large as the limit on stacks was when the program began.
void size_thread_stacks() noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_default_np(&attributes) != 0) return;
  std::size_t bytes = 0;
  const bool is_known = ::pthread_attr_getstacksize(&attributes, &bytes) == 0;
  if (is_known && (bytes < kLeastBytes || memory_is_limited())) {
    bytes = memory_is_limited() ? kLeastBytes : kUsualBytes;
    if (::pthread_attr_setstacksize(&attributes, bytes) == 0) ::pthread_setattr_default_np(&attributes);
  }
  ::pthread_attr_destroy(&attributes);
}

int run_with_stack(const std::function<int()>& work) {
  if (!is_limited(RLIMIT_STACK, kLeastBytes)) return work();
  int result = 0;
  const bool is_done = run_on_thread([&] { result = work(); });
  return is_done ? result : work();
}

}  // namespace sortie::cli
