// A sort on a thread of its own, whose records another thread takes: a side of a join, a later sort of a chain, the
// sort behind a Sorter.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

#include <sortie/report.hpp>

#include "pipeline/join/record_queue.hpp"
#include "record/collation/collated_text.hpp"

namespace sortie {

class SortThread {
 public:
  /// `records`: what the sort gives; it ends when the sort does. `stop`: of the whole job. `when_stopped`: is called
  /// when the sort is asked to stop, by any thread. `records` must outlive this.
  SortThread(RecordQueue& records, const std::stop_token& stop, std::function<void()> when_stopped = {});
  /// Stops the sort if it is not done, and waits for it.
  ~SortThread();
  SortThread(const SortThread&) = delete;
  SortThread& operator=(const SortThread&) = delete;

  /// Asks the sort to stop; for its options.
  std::stop_token stop() const { return stop_.get_token(); }

  /// Begins the sort, in the locale of the thread that made this. Call at most once. Throws Error if the system allows
  /// no thread.
  void start(std::function<SortReport()> sort);
  bool has_started() const { return thread_.joinable(); }

  /// What the sort did. Precondition: `records` have ended.
  const SortReport& report() const;

 private:
  RecordQueue& records_;
  const LocaleHandle locale_ = LocaleHandle::current();
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> told_;
  std::optional<std::stop_callback<std::function<void()>>> forwarded_;  // from the whole job's
  std::optional<SortReport> report_;                                    // set before the records end
  std::jthread thread_;
};

}  // namespace sortie
