// The threads of one sort: a oneTBB arena of its own, so that the parallel work of the calling program and of other
// sorts keeps its threads. The public functions make a team; a thread started for a sort works for the team of the
// thread that started it. A team of one thread does without oneTBB.
#pragma once

#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace sortie {

class ThreadTeam {
 public:
  /// `threads`: oneTBB's threads and the calling thread; oneTBB never has more threads than there are processors.
  /// `own_threads`: how many threads, such as readers and writers, may be in run() at the same time and share oneTBB's
  /// threads. Each one beyond gets an arena with as many threads of its own.
  explicit ThreadTeam(unsigned threads, unsigned own_threads = kOwnThreads);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Calls `work` on the calling thread, with the team's threads for the parallel loops in it. While it waits for such
  /// a loop it takes up no other thread's work.
  template <class Work>
  auto run(const Work& work) -> decltype(work()) {
    if (current() == this) return work();
    if (!arena_) {
      const Membership member(this);
      return work();
    }
    const Seat seat(*this);
    return seat.arena().execute([&] {
      const Membership member(this);
      return tbb::this_task_arena::isolate(work);
    });
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

  /// A sort on the CPU has no more threads of its own: one reads, one merges and two write.
  static constexpr unsigned kOwnThreads = 4;

 private:
  // A place in the arena for the calling thread. Without a free place it would have to wait until another thread
  // leaves.
  class Seat {
   public:
    explicit Seat(ThreadTeam& team);
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    tbb::task_arena& arena() const { return alone_ ? *alone_ : *team_.arena_; }

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
  std::optional<tbb::task_arena> arena_;  // none for one thread: parallel loops run in place then
};

/// How many threads share the calling thread's parallel loops: for dividing work and memory.
std::size_t parallel_threads();

/// Wraps `work` for a thread that is about to be started: there it runs in the calling thread's team.
template <class Work>
auto with_current_team(Work work) {
  return [team = ThreadTeam::current(), work = std::move(work)]() mutable {
    return team != nullptr ? team->run([&] { return work(); }) : work();
  };
}

}  // namespace sortie
