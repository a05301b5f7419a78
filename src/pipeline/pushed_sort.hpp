// A sort whose records are pushed and pulled. It runs on a thread of its own: its source waits there for what is
// pushed, and its sink until the caller has done with what it has pulled. Few bytes that are pushed are collected in a
// buffer first. Behind Sorter, and between the sorts of a chain.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "pipeline/join/record_queue.hpp"
#include "pipeline/sort_thread.hpp"

namespace sortie {

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
  /// What is pushed from now on is another input: the source gives 0 once, which the sort must know of.
  void begin_input();
  std::span<const std::byte> pull();
  const SortReport& report() const { return thread_.report(); }

 private:
  // The sort calls these two.
  std::size_t give(std::span<std::byte> target);
  void take(std::span<const std::byte> records);

  void flush();
  void send(std::span<const std::byte> bytes);
  void begin();

  SortOptions options_;
  SortCall sort_;
  std::vector<std::byte> buffer_;
  bool input_has_ended_ = false;
  RecordQueue pushed_{0};
  std::span<const std::byte> rest_;  // of what was pushed: the sort has not copied it yet
  RecordQueue sorted_{0};
  SortThread thread_;
};

}  // namespace sortie
