// A sort whose records are pushed and pulled. It runs on a thread of its own: its source waits there for what is
// pushed, and its sink until the caller has done with what it has pulled. Few bytes that are pushed are collected in a
// buffer first. Behind Sorter, and between the sorts of a chain.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "pipeline/join/record_queue.hpp"
#include "record/collation/collated_text.hpp"

namespace sortie {

/// A sort on a thread of its own, whose records another thread takes: a side of a join, or a pushed sort.
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

class PushedSort {
 public:
  /// Runs a sort from beginning to end.
  using SortCall = std::function<SortReport(const SortOptions& options)>;

  /// As Sorter has it. `sort` gets the options with a source and a sink. The sort is stopped at the end if it is not
  /// done.
  PushedSort(SortOptions options, SortCall sort);
  PushedSort(const PushedSort&) = delete;
  PushedSort& operator=(const PushedSort&) = delete;

  /// As Sorter has them.
  void push(std::span<const std::byte> bytes);
  /// Call before anything is pushed: the sort does not end, and keeps what it has in a checkpoint, until let_end(). An
  /// empty pull() says that all records have come; the next one, that the sort has ended.
  void hold_end();
  /// What was made of the records is complete.
  void let_end();
  /// As many bytes push() takes without waiting for the sort.
  std::size_t room() const;
  /// What is pushed from now on is another input: the source gives 0 once, which the sort must know of.
  void begin_input();
  std::span<const std::byte> pull();
  const SortReport& report() const { return thread_.report(); }

 private:
  // The sort calls these two.
  std::size_t give(std::span<std::byte> target);
  void take(std::span<const std::byte> records);
  void take_no_more();

  void flush();
  void send(std::span<const std::byte> bytes);
  void begin();

  SortOptions options_;
  SortCall sort_;
  std::vector<std::byte> buffer_;
  bool input_has_ended_ = false;
  std::atomic<bool> has_all_{false};  // the sort has all records that it wants
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool may_end_ = false;  // guarded by the mutex
  RecordQueue pushed_{0};
  std::span<const std::byte> rest_;  // of what was pushed: the sort has not copied it yet
  RecordQueue sorted_{0};
  SortThread thread_;
};

}  // namespace sortie
