// The threads of one sort. The public functions make a team; a thread that is started for a sort joins the team of the
// thread that started it. Members share their parallel loops with threads that the team starts when a loop first needs
// them. A member that waits for the threads that help it takes turns of loops within theirs, and of no others.
//
//   member   offer(work) ── own work ── finish(work): turns of it, until none is left ── wait for those that have begun
//   thread   idle ── turns of the work that was offered first, until none is left ── idle
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"

namespace sortie {

/// Work that threads of a team do together, turn by turn. Made on the stack of the member that offers it.
class SharedWork {
 public:
  /// `take_turn()` does a piece of the work that nobody has begun, and returns false if there is none. Several threads
  /// call it at the same time. If a call throws, no more turns are taken, and finish() throws the exception.
  explicit SharedWork(const FunctionRef<bool()>& take_turn) : take_turn_(take_turn) {}

 private:
  friend class ThreadTeam;

  FunctionRef<bool()> take_turn_;
  std::atomic<bool> has_failed_ = false;
  std::atomic<unsigned> helper_count_ = 0;  // threads that are in turns of it; written under the team's mutex
  // Guarded by the team's mutex:
  std::exception_ptr failure_;
  std::size_t vacancies_ = 0;  // how many more helpers are of use; it is in the list as long as there are any
  bool is_awaited_ = false;
  const SharedWork* part_of_ = nullptr;  // the work whose turn offered this; null if none
  SharedWork* previous_ = nullptr;       // in the list of what is offered
  SharedWork* next_ = nullptr;
};

class ThreadTeam {
 public:
  /// `threads`: the calling thread, and how many the team starts beside it, if the system allows them; none for one
  /// thread. `stop`: once it asks for a stop, throw_if_stopped() throws.
  explicit ThreadTeam(unsigned threads, std::stop_token stop = {});
  /// Ends the threads. Precondition: no work is offered.
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Calls `work` on the calling thread, with the team's threads for the parallel loops in it, and returns what it
  /// returns. Any number of threads may be in it at the same time.
  template <class Work>
  auto run(const Work& work) -> decltype(work()) {
    const Membership member(this);
    return work();
  }

  /// The team that the calling thread belongs to; null if none.
  static ThreadTeam* current() { return slot()()->team; }

  /// What is kept for each thread.
  struct ThreadState {
    ThreadTeam* team = nullptr;
    const SharedWork* work = nullptr;  // the work whose turn the thread is in; null if none
  };
  /// Finds the calling thread's state.
  using Slot = ThreadState* (*)();

  /// The slot that this copy of the code uses. A loaded module has its own copy of the code: share_slot() makes it use
  /// the slot of the program that loads it, and must be called before any work.
  static Slot slot();
  static void share_slot(Slot slot);

  unsigned threads() const { return threads_; }

  /// Lets the team's threads take turns of `work`: `most_helpers` of them are of use. Each offer needs its
  /// finish() or abandon().
  void offer(SharedWork& work, std::size_t most_helpers) noexcept;
  /// Takes turns until there are no more, waits until those that others have begun have ended, and throws what a turn
  /// has thrown.
  void finish(SharedWork& work);
  /// The same without any further turn. Throws nothing.
  void abandon(SharedWork& work) noexcept;

  const std::stop_token& stop() const { return stop_; }

  /// From now on no stop counts any more: the work is nearly done.
  void ignore_stops() { ignores_stops_ = true; }
  bool may_be_stopped() const { return stop_.stop_possible() && !ignores_stops_; }
  bool is_stopped() const { return stop_.stop_requested() && !ignores_stops_; }

  /// The threads of the largest team, up to `wanted`, for which the system has threads now.
  static unsigned most_threads(unsigned wanted);

 private:
  class Membership {
   public:
    explicit Membership(ThreadTeam* team) : before_(std::exchange(*slot()(), ThreadState{team, nullptr})) {}
    ~Membership() { *slot()() = before_; }
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

   private:
    ThreadState before_;
  };

  void start_threads() noexcept;
  void wake(std::size_t wanted) noexcept;
  void help_members() noexcept;
  void help(SharedWork& work, std::unique_lock<std::mutex>& lock) noexcept;
  std::uint32_t wait_for_arrival(std::uint32_t seen) noexcept;
  void take_turns(SharedWork& work) noexcept;
  SharedWork* find_part_of(const SharedWork& work) const noexcept;
  void withdraw(SharedWork& work) noexcept;
  void withdraw_and_wait(SharedWork& work) noexcept;

  const unsigned threads_;
  const std::stop_token stop_;
  std::atomic<bool> ignores_stops_ = false;

  // Two copies of this code, the program's and a module's, may work on one team: all state is in the object.
  std::atomic<std::uint32_t> arrivals_ = 0;  // changes whenever work is offered, and at the end
  std::atomic<std::uint32_t> sleepers_ = 0;  // threads that wait for it to change
  std::mutex mutex_;
  // Guarded by the mutex:
  std::condition_variable for_waiting_;  // members: a helper has left, or work has arrived
  std::size_t waiting_count_ = 0;
  SharedWork* first_ = nullptr;  // of what is offered, in the order of the offers
  SharedWork* last_ = nullptr;
  bool is_ending_ = false;
  bool is_refused_ = false;         // the system allowed no more threads
  std::size_t open_vacancies_ = 0;  // of all that is offered
  std::size_t busy_count_ = 0;      // threads that help a member
  std::vector<std::thread> helpers_;
};

/// How many threads share the calling thread's parallel loops: for dividing work and memory.
std::size_t parallel_threads();

/// Throws Stopped if the calling thread's team is to stop. Parallel loops call it in each turn. Whoever works or waits
/// for long between two loops must call it, too.
void throw_if_stopped();

/// Bytes that a slow loop, such as one that packs them, may work on before throw_if_stopped() is called again.
inline constexpr std::size_t kBytesBetweenStops = 256 << 10;

/// Calls throw_if_stopped() once in many calls: for long loops with short turns.
class StopPoll {
 public:
  void operator()() {
    if (++calls_ % kCalls == 0) throw_if_stopped();
  }

 private:
  static constexpr std::uint32_t kCalls = 1 << 10;

  std::uint32_t calls_ = 0;
};

/// Whether the calling thread's team may ever be asked to stop. If not, nobody need call throw_if_stopped().
bool may_be_stopped();

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
