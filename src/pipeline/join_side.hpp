// The sort of one input of a join, on threads of its own. Its records come out behind their keys, while they are merged
// or, if they are in order, read. Made by the join job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "io/files/file.hpp"
#include "observe/observer.hpp"
#include "pipeline/join/hand_over.hpp"
#include "pipeline/join/keyed_stream.hpp"

namespace sortie {

class JoinSide {
 public:
  struct Terms {
    bool lets_ordered_lines_pass = false;  ///< see SortJob; the records then throw NeedsRuns if need be
    std::uint64_t least_passed_bytes = 0;  ///< lines of a smaller input do not pass
    std::size_t hand_over_bytes = 0;       ///< records that may wait
  };
  /// Whom it tells what, and by which name.
  struct Listeners {
    Observer& whole;
    const char* name = "";
    std::function<void(const Progress&)> watch;
  };

  /// Begins to sort. All references must outlive this.
  JoinSide(FileSystem& files, SortOptions options, const Terms& terms, const Listeners& listeners);
  /// Stops the sort if it is not done, and waits for it.
  ~JoinSide();
  JoinSide(const JoinSide&) = delete;
  JoinSide& operator=(const JoinSide&) = delete;

  /// They end once the sort has compared what went in with what came out.
  KeyedStream& records() { return records_; }

  /// Precondition: the records have ended.
  const SortReport& report() const { return report_; }

 private:
  void run() noexcept;
  void sort();

  FileSystem& files_;
  SortOptions options_;
  Terms terms_;
  Observer observer_;
  HandOver hand_over_;
  KeyedStream records_;
  SortReport report_;  // written before the records end
  std::stop_source stop_;
  std::optional<std::stop_callback<std::function<void()>>> forwarded_stop_;  // from the caller's
  std::jthread thread_;
};

}  // namespace sortie
