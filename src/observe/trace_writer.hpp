// Writes spans as a Chrome trace, the JSON that chrome://tracing and ui.perfetto.dev show: one track per thread, one
// for the phases of each sort, and one per stream and link of every device. Events go to the file as they come, so that
// a trace takes no memory. Long traces are sampled, so that they stay small; phases are always kept. close() or the
// destructor completes the JSON and puts the file in its place. Owned by the Observer.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/device_span.hpp"
#include "base/function_ref.hpp"
#include "io/output/output.hpp"

namespace sortie {

/// Keeps the trace of a long sort small. After every kEventsPerStride events it keeps half as many seconds of the sort:
/// all, then one in two, one in four, and so on. A second is kept as a whole, so that overlaps stay visible.
/// Not thread-safe.
class TraceSampling {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// Kept events between doublings of the stride; some 6 MB of JSON.
  static constexpr std::uint64_t kEventsPerStride = 50'000;

  /// Whether to keep an event that begins at `begin` after the trace's start; counts those that are kept. Events as
  /// long as a second are always kept: there can be but few.
  bool keeps(Duration begin, Duration length) {
    const auto second = std::chrono::duration_cast<std::chrono::seconds>(begin).count();
    if (length < std::chrono::seconds(1) && static_cast<std::uint64_t>(second) % stride_ != 0) return false;
    if (++kept_ % kEventsPerStride == 0) stride_ *= 2;
    return true;
  }

  /// One second in so many is kept now.
  std::uint64_t stride() const { return stride_; }

 private:
  std::uint64_t kept_ = 0;
  std::uint64_t stride_ = 1;
};

/// Thread-safe. Names may be of any length and hold any bytes.
class TraceWriter {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  TraceWriter(std::unique_ptr<Output> output, TimePoint origin);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Gives the calling thread the track of that name. A later thread of the same name continues it, which keeps one
  /// line for each lane of a merge; threads that live at once need names of their own.
  void name_thread(std::string_view name);
  /// Makes sure that the calling thread has a track; its first span calls this.
  void enter_thread();
  /// Adds a span to the track of the calling thread.
  void add_span(std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept;
  /// Adds a phase to a track of phases. Phases are never left out, but where memory for a new track is lacking.
  void add_phase(const std::string& track, std::string_view name, TimePoint begin, TimePoint end,
                 std::uint64_t bytes) noexcept;
  /// Adds a span to the track of its device and name. It is left out if memory for a new track is lacking.
  void add_device_span(const DeviceSpan& span) noexcept;

  /// Completes the JSON and puts the file in its place. Throws Error if any of it could not be written. A second call
  /// does nothing.
  void close();

 private:
  /// One line of the trace. `process` is its group, which has a heading: the threads, or one device.
  struct Track {
    int process = 0;
    int number = 0;
  };
  Track track_of(int process, const std::string& name);
  void begin_process(int process);
  void write_if_there_is_memory(FunctionRef<void()> write) noexcept;
  void add_event(Track track, std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes);
  void write_event(Track track, std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes);
  void note_sampling(TimePoint time);
  void append(std::string_view text);
  void flush() noexcept;

  TimePoint origin_;
  std::mutex mutex_;
  std::unique_ptr<Output> output_;  // null when closed
  std::string buffer_;              // text that is not written yet
  std::exception_ptr failure_;      // nothing is written after it
  TraceSampling sampling_;
  std::set<int> processes_;
  std::map<std::pair<int, std::string>, int> tracks_;  // track numbers by process and name
  std::map<std::thread::id, int> thread_tracks_;
};

}  // namespace sortie
