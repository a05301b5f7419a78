#include "io/mapping/mapping_guard.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

namespace sortie {

// Ranges are never deleted, so that the handler may walk through them at any time: ranges of guards that are gone are
// used again. Empty ranges hold no address.
struct MappingGuard::Range {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> may_write{false};
  std::atomic<bool> has_failed{false};
  Range* next = nullptr;       // next of all ranges; set once
  Range* next_free = nullptr;  // guarded by the mutex
};

namespace {

// A signal handler belongs to the process, and so does all of this.
std::atomic<MappingGuard::Range*> all_ranges{nullptr};
std::mutex mutex;  // the handler does not take it
MappingGuard::Range* free_ranges = nullptr;
std::size_t guard_count = 0;
struct sigaction earlier_action;
std::atomic<bool> earlier_is_spent{false};  // the earlier handler wanted one signal only (SA_RESETHAND), and has had it

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
              std::atomic<MappingGuard::Range*>::is_always_lock_free);

// Replaces the range that `address` lies in by empty memory. Returns false if it lies in none.
bool replace_pages(std::uintptr_t address) {
  for (MappingGuard::Range* range = all_ranges; range != nullptr; range = range->next) {
    const std::uintptr_t begin = range->begin;
    const std::uintptr_t end = range->end;
    if (address < begin || address >= end) continue;
    range->has_failed = true;
    const int protection = range->may_write ? PROT_READ | PROT_WRITE : PROT_READ;
    return ::mmap(reinterpret_cast<void*>(begin), end - begin, protection,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

bool is_handler(const struct sigaction& action) { return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN; }

// Returns false if there was no earlier handler, or it is used up.
bool call_earlier_handler(int signal, siginfo_t* info, void* context) {
  if (!is_handler(earlier_action)) return false;
  if ((earlier_action.sa_flags & SA_RESETHAND) != 0 && earlier_is_spent.exchange(true)) return false;
  if ((earlier_action.sa_flags & SA_SIGINFO) != 0) {
    earlier_action.sa_sigaction(signal, info, context);
  } else {
    earlier_action.sa_handler(signal);
  }
  return true;
}

// Acts as if there was no handler of ours.
void deliver(int signal, siginfo_t* info, void* context) {
  if (call_earlier_handler(signal, info, context)) return;
  const bool was_sent = info->si_code <= 0;
  if (earlier_action.sa_handler == SIG_IGN && was_sent) return;
  ::signal(signal, SIG_DFL);  // a fault will come again and end the process
  if (was_sent) ::raise(signal);
}

void handle_fault(int signal, siginfo_t* info, void* context) {
  const int error_number = errno;
  const bool is_fault = info->si_code > 0;
  if (!is_fault || !replace_pages(reinterpret_cast<std::uintptr_t>(info->si_addr))) deliver(signal, info, context);
  errno = error_number;
}

// The system calls our handler as the earlier one asked to be called: with the same signals blocked, and SIGBUS itself
// unless that one asked for SA_NODEFER. The mutex is held.
void install_handler() {
  ::sigaction(SIGBUS, nullptr, &earlier_action);
  earlier_is_spent = false;
  struct sigaction action {};
  action.sa_sigaction = handle_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  if (is_handler(earlier_action)) {
    constexpr int kTakenOver = SA_NODEFER | SA_RESTART;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (earlier_action.sa_flags & kTakenOver);
    action.sa_mask = earlier_action.sa_mask;
  }
  ::sigaction(SIGBUS, &action, nullptr);
}

// Does nothing if the program has put another handler in place of ours. The mutex is held.
void remove_handler() {
  struct sigaction action {};
  ::sigaction(SIGBUS, nullptr, &action);
  const bool is_ours = (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handle_fault;
  if (!is_ours) return;
  if (earlier_is_spent) {
    ::signal(SIGBUS, SIG_DFL);
  } else {
    ::sigaction(SIGBUS, &earlier_action, nullptr);
  }
}

}  // namespace

MappingGuard::MappingGuard(std::span<const std::byte> pages, bool may_write) {
  if (pages.empty()) return;
  const std::scoped_lock lock(mutex);
  if (free_ranges != nullptr) {
    range_ = std::exchange(free_ranges, free_ranges->next_free);
  } else {
    range_ = new Range;
    range_->next = all_ranges;
    all_ranges = range_;
  }
  if (guard_count++ == 0) install_handler();
  range_->has_failed = false;
  range_->may_write = may_write;
  const auto begin = reinterpret_cast<std::uintptr_t>(pages.data());
  range_->begin = begin;
  range_->end = begin + pages.size();
}

MappingGuard::~MappingGuard() {
  if (range_ == nullptr) return;
  const std::scoped_lock lock(mutex);
  range_->end = 0;
  range_->begin = 0;
  range_->next_free = std::exchange(free_ranges, range_);
  if (--guard_count == 0) remove_handler();
}

MappingGuard::MappingGuard(MappingGuard&& other) noexcept : range_(std::exchange(other.range_, nullptr)) {}

MappingGuard& MappingGuard::operator=(MappingGuard&& other) noexcept {
  std::swap(range_, other.range_);
  return *this;
}

bool MappingGuard::has_failed() const noexcept { return range_ != nullptr && range_->has_failed; }

}  // namespace sortie
