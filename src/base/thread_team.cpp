#include "base/thread_team.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <new>
#include <system_error>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"

namespace sortie {
namespace {

/// A sort on the CPU has no more threads of its own: one reads, one merges, one packs and two write.
constexpr unsigned kOwnThreads = 5;

/// How long a thread looks for something before it sleeps. Waking it takes about as long.
constexpr std::chrono::microseconds kLookingTime{30};
/// A woken thread wakes so many others, if there is work for them: each waking is a system call.
constexpr std::size_t kWokenByOne = 2;

ThreadTeam::ThreadState* own_slot() {
  thread_local ThreadTeam::ThreadState state;
  return &state;
}

std::atomic<ThreadTeam::Slot> slot_in_use = own_slot;

// std::atomic's own wait() and notify() would keep their count of waiting threads beside the object, each copy of the
// code for itself.
void sleep_while(std::atomic<std::uint32_t>& value, std::uint32_t seen) {
  while (value == seen) ::syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}

void wake_sleepers(std::atomic<std::uint32_t>& value, int most) {
  ::syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0);
}
static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint32_t>::is_always_lock_free);

// Lets the other thread of the same core work.
void pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

// Returns whether is_there() came to hold within a short time. Leaves the processor to others meanwhile.
template <class IsThere>
bool look_for(const IsThere& is_there) {
  const auto end = std::chrono::steady_clock::now() + kLookingTime;
  do {
    for (int i = 0; i < 16; ++i) {
      if (is_there()) return true;
      pause();
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return is_there();
}

}  // namespace

ThreadTeam::ThreadTeam(unsigned threads, std::stop_token stop) : threads_(threads), stop_(std::move(stop)) {
  helpers_.reserve(threads - std::min(threads, 1U));
}

ThreadTeam::~ThreadTeam() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  ++arrivals_;
  wake_sleepers(arrivals_, INT_MAX);
  for (std::thread& helper : helpers_) helper.join();
}

void ThreadTeam::offer(SharedWork& work, std::size_t most_helpers) noexcept {
  most_helpers = std::min(most_helpers, helpers_.capacity());
  if (most_helpers == 0) return;
  {
    const std::scoped_lock lock(mutex_);
    work.vacancies_ = most_helpers;
    work.part_of_ = slot()()->work;
    work.previous_ = last_;
    (last_ != nullptr ? last_->next_ : first_) = &work;
    last_ = &work;
    open_vacancies_ += most_helpers;
    start_threads();
    if (waiting_count_ > 0) for_waiting_.notify_all();
  }
  ++arrivals_;
  wake(most_helpers);
}

// A sort of little needs few threads, and starts no more.
void ThreadTeam::start_threads() noexcept {
  try {
    while (helpers_.size() - busy_count_ < open_vacancies_ && helpers_.size() < helpers_.capacity() && !is_refused_) {
      helpers_.emplace_back([this] { help_members(); });
    }
  } catch (const std::system_error&) {
    is_refused_ = true;
  } catch (const std::bad_alloc&) {
    is_refused_ = true;
  }
}

void ThreadTeam::wake(std::size_t wanted) noexcept {
  wanted = std::min<std::size_t>({wanted, kWokenByOne, sleepers_});
  if (wanted > 0) wake_sleepers(arrivals_, static_cast<int>(wanted));
}

// What one of the team's threads does.
void ThreadTeam::help_members() noexcept {
  const Membership member(this);
  std::uint32_t seen = 0;
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    if (first_ != nullptr) {
      ++busy_count_;
      help(*first_, lock);
      --busy_count_;
    } else {
      lock.unlock();
      seen = wait_for_arrival(seen);
      lock.lock();
    }
  }
}

// Takes turns of offered work. The lock is held before and afterwards.
void ThreadTeam::help(SharedWork& work, std::unique_lock<std::mutex>& lock) noexcept {
  ++work.helper_count_;
  const std::size_t vacancies = work.vacancies_ - 1;
  if (vacancies == 0) {
    withdraw(work);
  } else {
    work.vacancies_ = vacancies;
    --open_vacancies_;
  }
  lock.unlock();
  wake(vacancies);
  take_turns(work);
  lock.lock();
  withdraw(work);
  if (--work.helper_count_ == 0 && work.is_awaited_) for_waiting_.notify_all();
}

// Waits until work has arrived since `seen`. Returns the number of arrivals by then.
std::uint32_t ThreadTeam::wait_for_arrival(std::uint32_t seen) noexcept {
  if (!look_for([&] { return arrivals_ != seen; })) {
    ++sleepers_;
    sleep_while(arrivals_, seen);
    --sleepers_;
  }
  return arrivals_;
}

void ThreadTeam::finish(SharedWork& work) {
  take_turns(work);
  withdraw_and_wait(work);
  if (work.failure_) std::rethrow_exception(work.failure_);
}

void ThreadTeam::abandon(SharedWork& work) noexcept {
  work.has_failed_ = true;
  withdraw_and_wait(work);
}

void ThreadTeam::take_turns(SharedWork& work) noexcept {
  ThreadState& state = *slot()();
  const SharedWork* const before = std::exchange(state.work, &work);
  try {
    while (!work.has_failed_ && work.take_turn_()) {
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!work.failure_) work.failure_ = std::current_exception();
    work.has_failed_ = true;
  }
  state.work = before;
}

// Returns work that was offered in a turn of `work`, or in a turn of such work, and so on; null if there is none.
// Precondition: the mutex is held.
SharedWork* ThreadTeam::find_part_of(const SharedWork& work) const noexcept {
  for (SharedWork* offered = first_; offered != nullptr; offered = offered->next_) {
    for (const SharedWork* whole = offered->part_of_; whole != nullptr; whole = whole->part_of_) {
      if (whole == &work) return offered;
    }
  }
  return nullptr;
}

// No further thread joins. Precondition: the mutex is held.
void ThreadTeam::withdraw(SharedWork& work) noexcept {
  if (work.vacancies_ == 0) return;
  open_vacancies_ -= std::exchange(work.vacancies_, 0);
  (work.previous_ != nullptr ? work.previous_->next_ : first_) = work.next_;
  (work.next_ != nullptr ? work.next_->previous_ : last_) = work.previous_;
}

// Once this holds the mutex and sees no helper, the last one has released the mutex and touches the work no more.
void ThreadTeam::withdraw_and_wait(SharedWork& work) noexcept {
  std::unique_lock lock(mutex_);
  withdraw(work);
  while (work.helper_count_ > 0) {
    if (SharedWork* const part = find_part_of(work)) {
      help(*part, lock);
      continue;
    }
    const std::uint32_t seen = arrivals_;
    lock.unlock();
    const bool has_changed = look_for([&] { return work.helper_count_ == 0 || arrivals_ != seen; });
    lock.lock();
    if (has_changed || work.helper_count_ == 0 || arrivals_ != seen) continue;
    work.is_awaited_ = true;
    ++waiting_count_;
    for_waiting_.wait(lock, [&] { return work.helper_count_ == 0 || find_part_of(work) != nullptr; });
    --waiting_count_;
  }
}

// The calling thread is there already.
unsigned ThreadTeam::most_threads(unsigned wanted) {
  if (wanted <= 1) return wanted;
  const unsigned startable = startable_threads(kOwnThreads + wanted - 1);
  return 1 + startable - std::min(startable, kOwnThreads);
}

ThreadTeam::Slot ThreadTeam::slot() { return slot_in_use.load(std::memory_order_relaxed); }

void ThreadTeam::share_slot(Slot slot) { slot_in_use.store(slot, std::memory_order_relaxed); }

void throw_if_stopped() {
  const ThreadTeam* const team = ThreadTeam::current();
  if (team != nullptr && team->is_stopped()) throw Stopped("the sort was stopped by its caller");
}

bool may_be_stopped() {
  const ThreadTeam* const team = ThreadTeam::current();
  return team != nullptr && team->may_be_stopped();
}

std::size_t parallel_threads() {
  const ThreadTeam* const team = ThreadTeam::current();
  return team != nullptr ? team->threads() : 1;
}

}  // namespace sortie
