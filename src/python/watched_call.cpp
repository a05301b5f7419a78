#include "python/watched_call.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <sortie/error.hpp>

#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// Python's handler of a signal runs when the thread asks for it.
constexpr std::chrono::milliseconds kSignalPoll{50};

/// How long the interpreter's exit waits at most, so that a callable that never returns does not hold it up for ever.
constexpr std::chrono::seconds kLongestExit{10};

/// The runs of a process. The GIL guards them.
struct LiveRuns {
  std::vector<std::stop_source> stops;
  pid_t process = ::getpid();
  std::optional<std::thread::id> ending_thread;  // that has begun to end the interpreter
};

LiveRuns& live_runs() {
  static LiveRuns runs;
  // A fork copies no threads, so the runs of the parent never end in its child.
  if (runs.process != ::getpid()) runs = {};
  return runs;
}

/// At the interpreter's end only the thread that ends it comes back to Python's code. What another raised there would
/// be printed while the streams are taken down, and abort the process: it waits here for the exit, as Python's own
/// calls let such threads wait from 3.14 on.
void wait_for_exit_in_other_threads() {
  const std::optional<std::thread::id> ending = live_runs().ending_thread;
  if (!ending || *ending == std::this_thread::get_id()) return;
  const nb::gil_scoped_release unlocked;
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

/// Counts a run from before it gives up the GIL until it has it again.
class WatchedCall::LiveRun {
 public:
  explicit LiveRun(const std::stop_source& stop) : stop_(stop) {
    wait_for_exit_in_other_threads();
    LiveRuns& runs = live_runs();
    if (runs.ending_thread) throw Error("the interpreter is at its end: let sorts end before it");
    runs.stops.push_back(stop);
  }
  ~LiveRun() {
    std::vector<std::stop_source>& stops = live_runs().stops;
    const auto own = std::ranges::find(stops, stop_);
    if (own != stops.end()) stops.erase(own);
  }
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

 private:
  std::stop_source stop_;
};

/// The thread that does the work, one run after another.
class WatchedCall::Worker {
 public:
  explicit Worker(WatchedCall& call) : call_(call), thread_([this] { take_work(); }) {}
  ~Worker() {
    begin(nullptr);
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool is_of_this_process() const { return process_ == ::getpid(); }

  /// Begins work that does not throw and lives until WatchedCall::end_watch(); null ends the thread. Precondition: what
  /// was begun before has ended.
  void begin(const std::function<void()>* work) {
    {
      const std::scoped_lock lock(mutex_);
      work_ = work;
      has_begun_ = true;
    }
    arrived_.notify_one();
  }

 private:
  void take_work() {
    while (true) {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return has_begun_; });
      has_begun_ = false;
      const std::function<void()>* const work = work_;
      lock.unlock();
      if (work == nullptr) return;
      (*work)();
      call_.end_watch();
    }
  }

  WatchedCall& call_;
  const pid_t process_ = ::getpid();
  std::mutex mutex_;
  std::condition_variable arrived_;
  const std::function<void()>* work_ = nullptr;  // guarded by the mutex, as is the next
  bool has_begun_ = false;
  std::thread thread_;
};

WatchedCall::WatchedCall(nb::object on_progress, nb::object on_warning)
    : on_progress_(std::move(on_progress)), on_warning_(std::move(on_warning)) {}

WatchedCall::~WatchedCall() { forget_worker_of_other_process(); }

void WatchedCall::forget_worker_of_other_process() {
  if (worker_ && !worker_->is_of_this_process()) static_cast<void>(worker_.release());
}

void WatchedCall::start_worker() {
  forget_worker_of_other_process();
  if (worker_) return;
  try {
    worker_ = std::make_unique<Worker>(*this);
  } catch (const std::system_error& error) {
    throw Error("cannot start a thread for the sort: " + error.code().message() + "; use fewer", Remedy::kFewerThreads);
  }
}

void WatchedCall::end_watch() {
  const std::scoped_lock lock(mutex_);
  is_done_ = true;
  changed_.notify_all();
}

void WatchedCall::attach(SortOptions& options) {
  options.stop = stop_token();
  if (on_progress_.is(Py_True)) {
    options.progress = ProgressMode::kAlways;
  } else if (!on_progress_.is_none()) {
    options.watch = [this](const Progress& progress) {
      add({false, std::string(progress.phase), progress.done_bytes, progress.total_bytes});
    };
  }
  if (!on_warning_.is_none()) {
    options.warn = [this](const std::string& message) { add({true, message}); };
  }
}

void WatchedCall::forget_listeners() {
  on_progress_ = nb::none();
  on_warning_ = nb::none();
}

int WatchedCall::visit_listeners(visitproc visit, void* arg) const {
  Py_VISIT(on_progress_.ptr());
  Py_VISIT(on_warning_.ptr());
  return 0;
}

void WatchedCall::end_all() {
  live_runs().ending_thread = std::this_thread::get_id();
  for (std::stop_source& stop : live_runs().stops) stop.request_stop();
  const auto deadline = std::chrono::steady_clock::now() + kLongestExit;
  while (!live_runs().stops.empty() && std::chrono::steady_clock::now() < deadline) {
    const nb::gil_scoped_release unlocked;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void WatchedCall::run_unwatched(const std::function<void()>& work) {
  if (live_runs().ending_thread == std::this_thread::get_id()) {
    const nb::gil_scoped_release unlocked;
    return work();
  }
  std::exception_ptr failure;
  {
    const LiveRun live{std::stop_source()};
    const nb::gil_scoped_release unlocked;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  wait_for_exit_in_other_threads();
  if (failure) std::rethrow_exception(failure);
}

void WatchedCall::run(const std::function<void()>& work) {
  std::exception_ptr failure;
  const std::function<void()> caught = [&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  is_done_ = false;
  {
    const LiveRun live(stop_);
    const nb::gil_scoped_release unlocked;
    start_worker();
    worker_->begin(&caught);
    watch();
  }
  wait_for_exit_in_other_threads();
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (failure) std::rethrow_exception(failure);
}

void WatchedCall::add(News news) {
  std::unique_lock lock(mutex_);
  news_.push_back(&news);
  changed_.notify_all();
  changed_.wait(lock, [&] { return news.is_passed_by; });
}

bool WatchedCall::has_news() {
  const std::scoped_lock lock(mutex_);
  return !news_.empty();
}

void WatchedCall::watch() {
  std::unique_lock lock(mutex_);
  for (bool is_done = false; !is_done;) {
    changed_.wait_for(lock, kSignalPoll, [this] { return is_done_ || !news_.empty(); });
    is_done = is_done_;
    const std::vector<News*> news = std::exchange(news_, {});
    lock.unlock();
    if (!raised_ && !(is_done && news.empty())) hear(news, !is_done);
    lock.lock();
    for (News* const item : news) item->is_passed_by = true;
    changed_.notify_all();
  }
}

void WatchedCall::hear(const std::vector<News*>& news, bool with_signals) {
  const nb::gil_scoped_acquire locked;
  try {
    for (const News* const item : news) {
      if (item->is_warning) {
        on_warning_(text_object(item->text));
      } else {
        on_progress_(text_object(item->text), item->done_bytes, item->total_bytes);
      }
    }
    if (with_signals && PyErr_CheckSignals() != 0) throw nb::python_error();
  } catch (...) {
    raised_ = std::current_exception();
    stop_.request_stop();
  }
}

}  // namespace sortie::python
