// The threads of one sort: a oneTBB arena of its own, so that the parallel work of the calling program and of other
// sorts keeps its threads. The public functions make a team; a thread started for a sort works for the team of the
// thread that started it. A team of one thread does without oneTBB.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "base/function_ref.hpp"

namespace sortie {

class ThreadTeam {
 public:
  /// `threads`: oneTBB's threads and the calling thread; oneTBB never has more threads than there are processors.
  /// `own_threads`: how many threads, such as readers and writers, may be in run() at the same time and share oneTBB's
  /// threads. Each one beyond gets an arena with as many threads of its own.
  /// `stop`: once it asks for a stop, throw_if_stopped() throws.
  explicit ThreadTeam(unsigned threads, unsigned own_threads = kOwnThreads, std::stop_token stop = {});
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  /// Calls `work` on the calling thread, with the team's threads for the parallel loops in it, and returns what it
  /// returns, which is no reference. While it waits for such a loop it takes up no other thread's work.
  template <class Work>
  auto run(const Work& work) -> decltype(work()) {
    if constexpr (std::is_void_v<decltype(work())>) {
      run_as_member(work);
    } else {
      std::optional<decltype(work())> result;
      run_as_member([&] { result.emplace(work()); });
      return std::move(*result);
    }
  }

  /// The team that the calling thread has joined by run(); null if none.
  static ThreadTeam* current() { return *slot()(); }

  /// Finds where the calling thread's team is kept.
  using Slot = ThreadTeam** (*)();

  /// The slot that this copy of the code uses. A loaded module has its own copy of the code: share_slot() makes it use
  /// the slot of the program that loads it, and must be called before any work.
  static Slot slot();
  static void share_slot(Slot slot);

  unsigned threads() const { return threads_; }
  const std::stop_token& stop() const { return stop_; }

  /// From now on no stop counts any more: the work is nearly done.
  void ignore_stops() { ignores_stops_ = true; }
  bool may_be_stopped() const { return stop_.stop_possible() && !ignores_stops_; }
  bool is_stopped() const { return stop_.stop_requested() && !ignores_stops_; }

  /// The threads of the largest team, up to `wanted`, for which the system has threads now. oneTBB fails if it cannot
  /// start one.
  static unsigned most_threads(unsigned wanted);

  /// A sort on the CPU has no more threads of its own: one reads, one merges and two write.
  static constexpr unsigned kOwnThreads = 4;

 private:
  struct Arena;
  class Seat;
  class Membership;

  void run_as_member(FunctionRef<void()> work);

  const unsigned threads_;
  const unsigned own_threads_;
  const std::stop_token stop_;
  std::atomic<bool> ignores_stops_ = false;
  std::atomic<unsigned> taken_seats_ = 0;
  std::unique_ptr<Arena> arena_;  // none for one thread: parallel loops run in place then
};

/// How many threads share the calling thread's parallel loops: for dividing work and memory.
std::size_t parallel_threads();

/// Throws Stopped if the calling thread's team is to stop. A parallel loop calls it in each turn that the thread which
/// began the loop takes itself; oneTBB's threads belong to no team. Whoever works or waits for long between two loops
/// must call it, too.
void throw_if_stopped();

/// Whether the calling thread's team may ever be asked to stop. If not, nobody need call throw_if_stopped().
bool may_be_stopped();

/// The same for a team, or for none: for what waits on oneTBB's threads.
void throw_if_stopped(const ThreadTeam* team);
bool may_be_stopped(const ThreadTeam* team);

/// How long, in milliseconds, a system call may wait before throw_if_stopped() is called again.
inline constexpr int kStopPollMs = 20;

/// Wraps `work` for a thread that is about to be started: there it runs in the calling thread's team.
template <class Work>
auto with_current_team(Work work) {
  return [team = ThreadTeam::current(), work = std::move(work)]() mutable {
    return team != nullptr ? team->run([&] { return work(); }) : work();
  };
}

}  // namespace sortie
