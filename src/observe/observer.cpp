#include "observe/observer.hpp"

#include <cstdio>
#include <mutex>
#include <new>
#include <utility>

#include "observe/busy_time.hpp"
#include "observe/phase_usage.hpp"
#include "observe/profiler_range.hpp"
#include "observe/progress_line.hpp"
#include "observe/timeline.hpp"
#include "observe/trace_writer.hpp"

namespace sortie {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kFirstPhase[] = "starting";

// The innermost open span of the calling thread. Spans end in the reverse order of their beginning, so each knows its
// outer one.
thread_local Observer::Span* innermost_span = nullptr;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

struct Observer::State {
  struct Phase {
    std::string name;
    std::uint64_t total_bytes = 0;
    Clock::time_point begin;
  };

  void end_phase(Clock::time_point now) noexcept {
    const std::lock_guard lock(phase_mutex);
    if (trace && phase) trace->add_phase(phase->name, phase->begin, now, phase->total_bytes);
    phase.reset();
  }

  Clock::time_point begin = Clock::now();
  std::optional<Clock::time_point> end;  // set by finish()
  StageTotals totals;
  PhaseUsage usage{kFirstPhase, begin};
  std::optional<ProgressLine> progress;
  std::optional<TraceWriter> trace;
  std::optional<ProcessSampler> sampler;  // with a timeline only
  std::mutex phase_mutex;
  std::optional<Phase> phase = Phase{kFirstPhase, 0, begin};
};

Observer::Observer(ProgressMode progress, std::unique_ptr<Output> trace, std::function<void(const Progress&)> watch)
    : state_(std::make_unique<State>()) {
  std::FILE* const stream = wants_progress(progress, stderr) ? stderr : nullptr;
  if (stream != nullptr || watch) state_->progress.emplace(stream, std::move(watch));
  if (trace) state_->trace.emplace(std::move(trace), state_->begin);
  name_thread("reader");
}

Observer::~Observer() {
  if (state_->progress) state_->progress->clear();
  state_->end_phase(Clock::now());
}

void Observer::keep_timeline() {
  state_->usage.keep_bins();
  state_->sampler.emplace(state_->begin);
}

void Observer::name_thread(std::string_view name) {
  if (state_->trace) state_->trace->name_thread(name);
  name_profiler_thread(std::string(name));
}

void Observer::begin_phase(std::string_view name, std::uint64_t total_bytes) {
  const Clock::time_point now = Clock::now();
  state_->end_phase(now);
  state_->usage.begin_phase(name, now);
  if (state_->sampler) state_->sampler->sample(now);
  if (state_->progress) state_->progress->begin_phase(name, total_bytes);
  const std::lock_guard lock(state_->phase_mutex);
  state_->phase = State::Phase{std::string(name), total_bytes, now};
}

void Observer::advance(std::uint64_t bytes) {
  if (state_->progress) state_->progress->advance(bytes);
}

void Observer::set_scratch_bytes(std::uint64_t bytes) noexcept {
  if (state_->sampler) state_->sampler->set_scratch_bytes(bytes);
}

void Observer::make_way_for(FunctionRef<void()> write) {
  if (state_->progress) {
    state_->progress->make_way_for(write);
  } else {
    write();
  }
}

void Observer::add_device_span(const DeviceSpan& span) noexcept {
  try {
    state_->totals.add(state_->totals.index_of(span.stage), span.bytes, seconds_between(span.begin, span.end));
  } catch (const std::bad_alloc&) {
    return;  // a sort is worth more than its statistics
  }
  state_->usage.add(resource_of(span.unit), span.begin, span.end, span.bytes);
  if (state_->trace) state_->trace->add_device_span(span);
}

std::vector<StageReport> Observer::stages() const { return state_->totals.stages(); }

void Observer::describe(SortReport& report) const {
  const Clock::time_point end = state_->end.value_or(Clock::now());
  report.elapsed_seconds = seconds_between(state_->begin, end);
  report.phases = state_->usage.phases(end);
  report.start_seconds = report.phases.front().seconds;
  report.resources = state_->usage.resources(end);
  report.stages = stages();
  report.memory_peak_bytes = peak_memory_bytes();
}

Timeline Observer::timeline() const {
  const BusyBins bins = state_->usage.bins(state_->end.value_or(Clock::now()));
  return {.bin_seconds = bins.bin_seconds(),
          .busy_seconds = bins.busy_seconds(),
          .samples = state_->sampler->samples(),
          .machine_share = state_->sampler->machine_share()};
}

void Observer::finish() {
  if (state_->progress) state_->progress->clear();
  if (!state_->end) {
    state_->end = Clock::now();
    if (state_->sampler) state_->sampler->sample(*state_->end);
  }
  state_->end_phase(*state_->end);
  if (state_->trace) state_->trace->close();
}

Observer::Span::Span(Observer& observer, const char* stage, std::uint64_t bytes)
    : observer_(observer),
      stage_(stage),
      stage_index_(observer.state_->totals.index_of(stage)),
      resource_(resource_of(stage)),
      bytes_(bytes),
      outer_(innermost_span) {
  if (observer_.state_->trace) observer_.state_->trace->enter_thread();
  push_profiler_range(stage);
  begin_ = counted_until_ = Clock::now();
  if (outer_ != nullptr) outer_->count(begin_, 0);
  innermost_span = this;
}

Observer::Span::~Span() {
  const Clock::time_point end = Clock::now();
  innermost_span = outer_;
  if (outer_ != nullptr) outer_->counted_until_ = end;
  pop_profiler_range();
  count(end, bytes_);
  if (observer_.state_->trace) observer_.state_->trace->add_span(stage_, begin_, end, bytes_);
  if (observer_.state_->sampler) observer_.state_->sampler->sample_if_due(end);
}

void Observer::Span::count(TimePoint now, std::uint64_t bytes) noexcept {
  observer_.state_->totals.add(stage_index_, bytes, seconds_between(counted_until_, now));
  if (resource_) observer_.state_->usage.add(*resource_, counted_until_, now, bytes);
  counted_until_ = now;
}

}  // namespace sortie
