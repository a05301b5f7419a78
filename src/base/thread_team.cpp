#include "base/thread_team.hpp"

#include <tbb/global_control.h>

#include <algorithm>

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

// oneTBB's threads take the places that are not reserved.
ThreadTeam::ThreadTeam(unsigned threads, unsigned own_threads) : threads_(threads), own_threads_(own_threads) {
  if (threads > 1) arena_.emplace(arena_threads(threads) - 1 + static_cast<int>(own_threads), own_threads);
}

ThreadTeam::Slot ThreadTeam::slot() { return slot_in_use.load(std::memory_order_relaxed); }

void ThreadTeam::share_slot(Slot slot) { slot_in_use.store(slot, std::memory_order_relaxed); }

ThreadTeam::Seat::Seat(ThreadTeam& team) : team_(team) {
  if (team_.taken_seats_++ < team_.own_threads_) return;
  try {
    alone_ = std::make_unique<tbb::task_arena>(arena_threads(team_.threads_));
  } catch (...) {
    --team_.taken_seats_;
    throw;
  }
}

ThreadTeam::Seat::~Seat() { --team_.taken_seats_; }

ThreadTeam::Membership::Membership(ThreadTeam* team) : before_(std::exchange(*slot()(), team)) {}

ThreadTeam::Membership::~Membership() { *slot()() = before_; }

std::size_t parallel_threads() {
  const ThreadTeam* const team = ThreadTeam::current();
  return team != nullptr ? team->threads() : static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

}  // namespace sortie
