// Writes spans as a Chrome trace, the JSON that chrome://tracing and ui.perfetto.dev show: one track
// per thread, one for the phases. Events go to the file as they come, so that a trace of any length takes
// no memory; close() or the destructor completes the JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace sortie {

/// Thread-safe.
class TraceWriter {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// Throws Error naming the path and the system's reason.
  explicit TraceWriter(const std::string& path);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Makes sure that the calling thread has a track; its first span calls this.
  void enter_thread();
  /// On the track of the calling thread. `name` needs no escaping: letters, digits, spaces.
  void add_span(std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept;
  /// On the phases' track.
  void add_phase(std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept;

  /// Completes the JSON and closes the file. Throws Error if any of it could not be written. A second
  /// call does nothing.
  void close();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  void name_track(int track);
  void add_event(int track, std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept;
  void complete() noexcept;

  std::string path_;
  TimePoint origin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::map<std::thread::id, int> tracks_;
};

}  // namespace sortie
