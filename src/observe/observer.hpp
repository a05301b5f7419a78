// What a sort tells about itself while it runs: time and bytes per stage, a progress line, a trace.
// The pipeline opens a Span around every piece of work; everything else follows from the spans.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

namespace sortie {

class Observer {
 public:
  /// Opens `trace_path` at once if it is not empty; throws Error if that fails.
  Observer(ProgressMode progress, const std::string& trace_path);
  /// Clears the progress line and completes the trace, so that it is valid after a failed sort too.
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// One piece of work on the calling thread, from construction to destruction.
  class Span {
   public:
    Span(Observer& observer, const char* stage, std::uint64_t bytes);
    ~Span();
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    /// For work whose size is known only when it is done.
    void set_bytes(std::uint64_t bytes) { bytes_ = bytes; }

   private:
    Observer& observer_;
    const char* stage_;
    std::size_t stage_index_;
    std::uint64_t bytes_;
    std::chrono::steady_clock::time_point begin_;
  };

  /// A span of `bytes` payload. `stage` must be a string literal. Thread-safe.
  Span span(const char* stage, std::uint64_t bytes = 0) { return Span(*this, stage, bytes); }

  /// A new phase for the progress line; total 0 if unknown.
  void begin_phase(std::string_view name, std::uint64_t total_bytes);
  /// Bytes done in this phase. Thread-safe, cheap.
  void advance(std::uint64_t bytes);

  /// Stages in order of first use.
  std::vector<StageReport> stages() const;

  /// Clears the progress line and completes the trace. Throws Error if the trace cannot be written.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sortie
