#include "base/thread_team.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"

namespace sortie {
namespace {

ThreadTeam** own_slot() {
  thread_local ThreadTeam* current_team = nullptr;
  return &current_team;
}

std::atomic<ThreadTeam::Slot> slot_in_use = own_slot;

/// No more than oneTBB has: asking for more makes it print a warning.
int arena_threads(unsigned threads) {
  const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min<std::size_t>(threads, most));
}

}  // namespace

struct ThreadTeam::Arena {
  Arena(int threads, unsigned reserved) : arena(threads, reserved) {}

  tbb::task_arena arena;
};

// A place in the arena for the calling thread. Without a free place it would have to wait until another thread leaves.
class ThreadTeam::Seat {
 public:
  explicit Seat(ThreadTeam& team) : team_(team) {
    if (team_.taken_seats_++ < team_.own_threads_) return;
    try {
      alone_.emplace(arena_threads(team_.threads_));
    } catch (...) {
      --team_.taken_seats_;
      throw;
    }
  }
  ~Seat() { --team_.taken_seats_; }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  tbb::task_arena& arena() { return alone_ ? *alone_ : team_.arena_->arena; }

 private:
  ThreadTeam& team_;
  std::optional<tbb::task_arena> alone_;
};

class ThreadTeam::Membership {
 public:
  explicit Membership(ThreadTeam* team) : before_(std::exchange(*slot()(), team)) {}
  ~Membership() { *slot()() = before_; }
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

 private:
  ThreadTeam* before_;
};

// oneTBB's threads take the places that are not reserved.
ThreadTeam::ThreadTeam(unsigned threads, unsigned own_threads, std::stop_token stop)
    : threads_(threads), own_threads_(own_threads), stop_(std::move(stop)) {
  if (threads <= 1) return;
  arena_ = std::make_unique<Arena>(arena_threads(threads) - 1 + static_cast<int>(own_threads), own_threads);
}

ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::run_as_member(FunctionRef<void()> work) {
  if (current() == this) {
    work();
    return;
  }
  if (!arena_) {
    const Membership member(this);
    work();
    return;
  }
  Seat seat(*this);
  seat.arena().execute([&] {
    const Membership member(this);
    tbb::this_task_arena::isolate(work);
  });
}

// The calling thread is there already.
unsigned ThreadTeam::most_threads(unsigned wanted) {
  if (wanted <= 1) return wanted;
  const unsigned startable = startable_threads(kOwnThreads + wanted - 1);
  return 1 + startable - std::min(startable, kOwnThreads);
}

ThreadTeam::Slot ThreadTeam::slot() { return slot_in_use.load(std::memory_order_relaxed); }

void ThreadTeam::share_slot(Slot slot) { slot_in_use.store(slot, std::memory_order_relaxed); }

void throw_if_stopped() { throw_if_stopped(ThreadTeam::current()); }

bool may_be_stopped() { return may_be_stopped(ThreadTeam::current()); }

void throw_if_stopped(const ThreadTeam* team) {
  if (team != nullptr && team->is_stopped()) throw Stopped("the sort was stopped by its caller");
}

bool may_be_stopped(const ThreadTeam* team) { return team != nullptr && team->may_be_stopped(); }

std::size_t parallel_threads() {
  const ThreadTeam* const team = ThreadTeam::current();
  return team != nullptr ? team->threads() : static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

}  // namespace sortie
