// A sort whose records are pushed and pulled. It runs on a thread of its own: its source waits there for what is
// pushed, and its sink until the caller has done with what it has pulled. Few bytes that are pushed are collected in a
// buffer first. Behind Sorter, and between the sorts of a chain.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "record/collation/collated_text.hpp"

namespace sortie {

class PushedSort {
 public:
  /// Runs a sort from beginning to end.
  using SortCall = std::function<SortReport(const SortOptions& options)>;

  /// As Sorter has it. `sort` gets the options with a source and a sink.
  PushedSort(SortOptions options, SortCall sort);
  /// Stops the sort if it is not done.
  ~PushedSort();
  PushedSort(const PushedSort&) = delete;
  PushedSort& operator=(const PushedSort&) = delete;

  /// As Sorter has them.
  void push(std::span<const std::byte> bytes);
  /// What is pushed from now on is another input: the source gives 0 once, which the sort must know of. Waits for that.
  void begin_input();
  std::span<const std::byte> pull();
  const SortReport& report() const;

 private:
  // The sort calls these two.
  std::size_t give(std::span<std::byte> target);
  void take(std::span<const std::byte> records);

  void flush();
  // Waits until the sort has copied the bytes.
  void hand_over(std::span<const std::byte> bytes);
  void end_input();
  void begin();
  void run() noexcept;
  // Precondition: the sort is done.
  void throw_failure() const;
  void throw_if_failed();
  void end();

  SortOptions options_;
  SortCall sort_;
  const LocaleHandle locale_ = LocaleHandle::current();  // of the thread that makes this
  std::stop_source stop_;
  std::optional<std::stop_callback<std::function<void()>>> forwarded_stop_;  // from the caller's
  std::vector<std::byte> buffer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::span<const std::byte> pushed_;  // guarded by the mutex, as are the next seven
  std::span<const std::byte> sorted_;
  bool is_lent_ = false;        // `sorted_`: to the caller, until it pulls again
  bool one_has_ended_ = false;  // of several inputs, which the source has not said yet
  bool input_has_ended_ = false;
  bool is_given_up_ = false;  // by the caller
  bool is_done_ = false;
  std::optional<SortReport> report_;  // set before `is_done_`, as is the next
  std::exception_ptr failure_;
  std::jthread sorting_;  // the first member to be destroyed: that waits for the sort
};

}  // namespace sortie
