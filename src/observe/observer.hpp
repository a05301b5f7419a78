// What a job reports about itself while it runs: time and bytes per stage, the busy time of every resource, a progress
// line, a trace. The pipeline opens a Span around every piece of work, and engines report those of their devices;
// everything else follows from the spans.
//
// A job that is made of several sorts has one for the whole, and one for each of these sorts, which reports to the
// whole what it is told:
//
//   Observer (left input)  ──┐                    own phases, resources and stages
//   Observer (right input) ──┴─▶ Observer (whole)     those of all; one trace, one timeline, one progress line
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "base/device_span.hpp"
#include "base/function_ref.hpp"
#include "io/output/output.hpp"
#include "observe/busy_time.hpp"

namespace sortie {

class Assumptions;
struct Timeline;

class Observer : public DeviceSpanSink {
 public:
  /// `trace`: where a trace goes; null if none is wanted. `watch`: as SortOptions has it. Begins the phase "starting".
  explicit Observer(ProgressMode progress, std::unique_ptr<Output> trace = nullptr,
                    std::function<void(const Progress&)> watch = {});
  /// For one of the sorts that a job is made of. `whole`, which must outlive this, may itself be that of such a sort.
  /// Its progress is told to `watch` alone.
  Observer(Observer& whole, const std::string& name, std::function<void(const Progress&)> watch = {});
  /// Clears the progress line and completes the trace, so that it is valid after a failed sort too.
  ~Observer() override;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// Keeps what timeline() returns. Call before any work. Precondition: this is that of a whole job.
  void keep_timeline();

  /// From now on what is read comes from another sort of the job: its bytes are no use of a resource.
  void expect_records_of_sort();

  /// One piece of work on the calling thread, from construction to destruction. Spans nest: the statistics
  /// count the time of an inner one for its own stage only, the trace shows both.
  class Span {
   public:
    Span(Observer& observer, const char* stage, std::uint64_t bytes);
    ~Span();
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    /// Sets the bytes of work whose size is known only when it is done.
    void set_bytes(std::uint64_t bytes) { bytes_ = bytes; }

   private:
    using TimePoint = std::chrono::steady_clock::time_point;

    void count(TimePoint now, std::uint64_t bytes) noexcept;

    Observer& observer_;
    const char* stage_;
    std::size_t stage_index_;
    std::size_t index_in_whole_;
    std::optional<Resource> resource_;
    std::uint64_t bytes_;
    bool hands_over_ = false;  // what another sort gives or takes: its bytes are no use of the resource
    Span* outer_;              // span around this one, on the same thread; paused meanwhile
    TimePoint begin_;
    TimePoint counted_until_;
  };

  /// A span of `bytes` payload. `stage` must be a string literal; busy_time.cpp has the list of stages and what they
  /// keep busy, and of those that hand records over between sorts: the bytes of a span around such a one keep nothing
  /// busy. Thread-safe.
  Span span(const char* stage, std::uint64_t bytes = 0) { return Span(*this, stage, bytes); }

  /// A piece of work of a device, timed by its engine. Thread-safe.
  void add_device_span(const DeviceSpan& span) noexcept override;

  /// Names the calling thread in the trace ("reader", "merge lane 0"), behind the name of the sort. Threads that live
  /// at once need different names; a later thread of the same name continues the track.
  void name_thread(std::string_view name);

  /// Begins a new phase of the progress line and the statistics; `total_bytes` is 0 if unknown.
  void begin_phase(std::string_view name, std::uint64_t total_bytes);
  /// Adds bytes done in this phase. Thread-safe, cheap.
  void advance(std::uint64_t bytes);

  /// Reports how much there is in scratch files now. Thread-safe, cheap.
  void set_scratch_bytes(std::uint64_t bytes) noexcept;

  /// What this sort, or the whole job, assumes without being told. Each has its own; in that of a sort is settled
  /// what was so in the whole's when the sort began.
  Assumptions& assumptions() const;

  /// Calls `write`, which writes a message, while no progress line is there, and no other sort of the job writes one.
  /// Thread-safe.
  void make_way_for(FunctionRef<void()> write);

  /// Stages in order of first use.
  std::vector<StageReport> stages() const;

  /// Fills in all but the budget and the peak of memory.
  void describe(WorkReport& report) const;

  /// What happened when in the whole job. Precondition: its observer keeps a timeline.
  Timeline timeline() const;

  /// Who watches is told that the last phase has come to its end, and nothing after that. For the moment before an
  /// output takes its place: what the watcher throws must leave it as it was.
  void end_watch();
  /// Does the same, clears the progress line and completes the trace. Throws Error if the trace cannot be written.
  void finish();

 private:
  struct State;
  struct Whole;
  std::shared_ptr<State> state_;
};

}  // namespace sortie
