// The threads of one sort: an arena of oneTBB's of their own. So the parallel work of the program that calls the
// library goes on beside a sort with all the threads that it has, and other sorts have theirs. The public functions
// make a team; threads that are started for a sort work for the team of those that start them.
#pragma once

#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace sortie {

class ThreadTeam {
 public:
  /// `threads`: oneTBB's and the calling thread; of the former there are never more than processors. `own_threads`: how
  /// many may be at work in run() at a time, as readers and writers are, and share oneTBB's threads. Each one beyond
  /// has as many for itself.
  explicit ThreadTeam(unsigned threads, unsigned own_threads = kOwnThreads);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Calls `work` on the calling thread, with the team at hand for the parallel loops in it. While it waits for one of
  /// them it takes up no other thread's work.
  template <class Work>
  auto run(const Work& work) -> decltype(work()) {
    if (current() == this) return work();
    const Seat seat(*this);
    return seat.arena().execute([&] {
      const Membership member(this);
      return tbb::this_task_arena::isolate(work);
    });
  }

  /// The one that the calling thread has joined by run(); null if none.
  static ThreadTeam* current() { return *slot()(); }

  /// Finds where the calling thread's team is kept.
  using Slot = ThreadTeam** (*)();

  /// The slot of this copy of the code. A module that is loaded has a copy of its own: it shares the slot of the program
  /// that loads it, given by share_slot() before any work.
  static Slot slot();
  static void share_slot(Slot slot);

  unsigned threads() const { return threads_; }

  /// A sort on the CPU has no more: one that reads, one that merges and two that write.
  static constexpr unsigned kOwnThreads = 4;

 private:
  // A place in the arena for the calling thread. One that found none would have to wait until another thread leaves.
  class Seat {
   public:
    explicit Seat(ThreadTeam& team);
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    tbb::task_arena& arena() const { return alone_ ? *alone_ : team_.arena_; }

   private:
    ThreadTeam& team_;
    std::unique_ptr<tbb::task_arena> alone_;
  };

  class Membership {
   public:
    explicit Membership(ThreadTeam* team);
    ~Membership();
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

   private:
    ThreadTeam* before_;
  };

  const unsigned threads_;
  const unsigned own_threads_;
  std::atomic<unsigned> taken_seats_ = 0;
  tbb::task_arena arena_;
};

/// How many threads the calling one's parallel loops are shared by: for dividing work and memory.
std::size_t parallel_threads();

/// `work`, to be called on a thread that is about to be started: as if the team of this one were there.
template <class Work>
auto with_current_team(Work work) {
  return [team = ThreadTeam::current(), work = std::move(work)]() mutable {
    return team != nullptr ? team->run([&] { return work(); }) : work();
  };
}

}  // namespace sortie
