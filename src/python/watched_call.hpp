// Runs work of the library on a thread of its own while the thread that called from Python waits without the GIL: it
// hands news of the sort to Python's functions, and ends the sort when Ctrl-C or one of these raises. The thread stays
// for later calls: to start one takes longer than to push some rows.
#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <sortie/options.hpp>

namespace sortie::python {

class WatchedCall {
 public:
  /// `on_progress(phase, done_bytes, total_bytes)` and `on_warning(message)`: None for nobody who listens. True
  /// for `on_progress`: the library draws its line.
  explicit WatchedCall(nanobind::object on_progress = nanobind::none(), nanobind::object on_warning = nanobind::none());
  ~WatchedCall();
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;

  /// Lets a sort report to this, and be ended by it.
  void attach(SortOptions& options);
  std::stop_token stop_token() const { return stop_.get_token(); }
  void forget_listeners();
  /// For Python's collector of cycles.
  int visit_listeners(visitproc visit, void* arg) const;

  /// Returns when `work`, which holds no Python objects, has ended, and throws what it threw; before that, what Python
  /// raised meanwhile. May be called again, but only by one thread at a time. Precondition: the GIL is held.
  void run(const std::function<void()>& work);
  /// Whether the library waits in another thread until news has been told: the next run tells it.
  bool has_news();
  /// The same as run() for work that takes no time worth watching: on the calling thread. Whatever gives up the GIL in
  /// threads of the program does it here: where the interpreter ends, Python ends threads that ask for the GIL.
  static void run_unwatched(const std::function<void()>& work);

  /// Ends all runs, and waits until they have ended, some seconds at most; after that none begins. For the exit of the
  /// interpreter, which ends threads where they ask for the GIL: that would tear those here out of their frames.
  static void end_all();

 private:
  class LiveRun;
  class Worker;

  struct News {
    bool is_warning = false;
    std::string text;  // a warning, or the phase
    std::uint64_t done_bytes = 0;
    std::uint64_t total_bytes = 0;
    bool is_passed_by = false;  // it has been told, or nobody is to hear it any more
  };

  /// Returns when Python has been told, so that what it raises ends the sort there: before its output takes its place,
  /// if the news came before.
  void add(News news);
  /// Starts the worker unless this process has it. Throws Error if the system allows no thread.
  void start_worker();
  /// A fork copies no threads: in the child there is none to end.
  void forget_worker_of_other_process();
  /// Called by the worker when the work has ended.
  void end_watch();
  /// The waiting thread's part, until the work has ended.
  void watch();
  /// Ends the sort if Python raises.
  void hear(const std::vector<News*>& news, bool with_signals);

  nanobind::object on_progress_;
  nanobind::object on_warning_;
  std::stop_source stop_;
  std::exception_ptr raised_;  // by Python while it waited
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<News*> news_;  // guarded by the mutex, as is the next; the threads that wait for them have them
  bool is_done_ = false;
  std::unique_ptr<Worker> worker_;  // started by the first run
};

/// Returns what `work` does, a call of the library with these options.
template <class Work>
auto run_watched(SortOptions& options, nanobind::object on_progress, nanobind::object on_warning, const Work& work) {
  WatchedCall call(std::move(on_progress), std::move(on_warning));
  call.attach(options);
  decltype(work()) result;
  call.run([&] { result = work(); });
  return result;
}

}  // namespace sortie::python
