// How far the sort is: counted for the line on the terminal and for the program that watches. The Observer feeds it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/options.hpp>

#include "base/function_ref.hpp"

namespace sortie {

/// "merge  42%  1.25 GB/s  0:31 left"; without percent and time left if `total_bytes` is 0, without speed before
/// anything is done.
std::string format_progress(std::string_view phase, std::uint64_t done_bytes, std::uint64_t total_bytes,
                            double elapsed_seconds);

/// Whether a line is wanted on `stream`, which may be a terminal or not.
bool wants_progress(ProgressMode mode, std::FILE* stream);

/// Thread-safe.
class ProgressLine {
 public:
  using Watch = std::function<void(const Progress&)>;

  /// Writes to `stream`, which stays the caller's, and calls `watch`. Either may be missing.
  explicit ProgressLine(std::FILE* stream, Watch watch = {}) : stream_(stream), watch_(std::move(watch)) {}

  /// Shows the phase at once. The phase before it has come to its end.
  void begin_phase(std::string_view name, std::uint64_t total_bytes);
  /// Adds to the bytes done; draws at most ten times a second.
  void advance(std::uint64_t bytes);
  /// Calls `watch` a last time: the last phase has ended. Nothing is reported after that.
  void end_watch();
  /// Calls `watch` a last time, as above, and wipes the line.
  void finish();
  /// Wipes the line. It comes back with the next advance().
  void clear() noexcept;
  /// Wipes the line and calls `write`, which writes lines of its own to the same terminal.
  void make_way_for(FunctionRef<void()> write);

 private:
  using Clock = std::chrono::steady_clock;

  void show(Clock::time_point now);
  void report_end_of_phase();
  void draw(const Progress& progress);
  void wipe() noexcept;

  std::FILE* stream_;
  Watch watch_;
  std::atomic<std::uint64_t> done_bytes_{0};
  std::atomic<Clock::rep> next_draw_{0};
  std::mutex mutex_;  // guards what follows
  std::string phase_;
  std::uint64_t total_bytes_ = 0;
  Clock::time_point phase_begin_ = Clock::now();
  std::size_t drawn_columns_ = 0;
};

}  // namespace sortie
