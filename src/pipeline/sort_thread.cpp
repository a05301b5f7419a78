#include "pipeline/sort_thread.hpp"

#include <cassert>
#include <clocale>
#include <exception>
#include <system_error>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {

SortThread::SortThread(RecordQueue& records, const std::stop_token& stop, std::function<void()> when_stopped)
    : records_(records), told_(stop_.get_token(), [stopped = std::move(when_stopped)] {
        if (stopped) stopped();
      }) {
  forwarded_.emplace(stop, [this] { stop_.request_stop(); });
}

SortThread::~SortThread() {
  forwarded_.reset();
  stop_.request_stop();
  records_.close();
}

void SortThread::start(std::function<SortReport()> sort) {
  try {
    thread_ = std::jthread([this, sort = std::move(sort)]() noexcept {
      ::uselocale(locale_.get());  // of this thread alone, which ends with the sort
      try {
        report_ = sort();
        records_.end();
      } catch (...) {
        records_.end(std::current_exception());
      }
    });
  } catch (const std::system_error& error) {
    throw Error("cannot start a thread for the sort: " + error.code().message() + "; use fewer", Remedy::kFewerThreads);
  }
}

const SortReport& SortThread::report() const {
  assert(report_);
  return *report_;
}

}  // namespace sortie
