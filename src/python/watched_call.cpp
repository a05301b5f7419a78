#include "python/watched_call.hpp"

#include <chrono>
#include <exception>
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

}  // namespace

WatchedCall::WatchedCall(nb::object on_progress, nb::object on_warning)
    : on_progress_(std::move(on_progress)), on_warning_(std::move(on_warning)) {}

void WatchedCall::attach(SortOptions& options) {
  options.stop = stop_token();
  if (!on_progress_.is_none()) {
    options.watch = [this](const Progress& progress) {
      add({false, std::string(progress.phase), progress.done_bytes, progress.total_bytes});
    };
  }
  if (!on_warning_.is_none()) {
    options.warn = [this](const std::string& message) { add({true, message}); };
  }
}

void WatchedCall::run(const std::function<void()>& work) {
  std::exception_ptr failure;
  is_done_ = false;
  {
    const nb::gil_scoped_release unlocked;
    std::thread worker;
    try {
      worker = std::thread([&] {
        try {
          work();
        } catch (...) {
          failure = std::current_exception();
        }
        const std::scoped_lock lock(mutex_);
        is_done_ = true;
        changed_.notify_all();
      });
    } catch (const std::system_error& error) {
      throw Error("cannot start a thread for the sort: " + error.code().message(), Remedy::kFewerThreads);
    }
    watch();
    worker.join();
  }
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (failure) std::rethrow_exception(failure);
}

void WatchedCall::add(News news) {
  const std::scoped_lock lock(mutex_);
  news_.push_back(std::move(news));
  changed_.notify_all();
}

bool WatchedCall::wait_for_news(std::deque<News>& news) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kSignalPoll, [this] { return is_done_ || !news_.empty(); });
  news = std::exchange(news_, {});
  return is_done_;
}

void WatchedCall::tell(const std::deque<News>& news) const {
  for (const News& item : news) {
    if (item.is_warning) {
      on_warning_(text_object(item.text));
    } else {
      on_progress_(text_object(item.text), item.done_bytes, item.total_bytes);
    }
  }
}

void WatchedCall::watch() {
  std::deque<News> news;
  for (bool is_done = false; !is_done;) {
    is_done = wait_for_news(news);
    if (raised_ || (is_done && news.empty())) continue;
    const nb::gil_scoped_acquire locked;
    try {
      tell(news);
      if (!is_done && PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (...) {
      raised_ = std::current_exception();
      stop_.request_stop();
    }
  }
}

}  // namespace sortie::python
