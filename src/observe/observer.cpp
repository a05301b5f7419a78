#include "observe/observer.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <utility>

#include "observe/assumptions.hpp"
#include "observe/busy_time.hpp"
#include "observe/phase_usage.hpp"
#include "observe/progress_line.hpp"
#include "observe/timeline.hpp"
#include "observe/trace_writer.hpp"

#ifdef SORTIE_NVTX
#include <nvtx3/nvToolsExt.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace sortie {
namespace {

// Spans are shown in NVIDIA's profilers, beside the kernels that they wait for. Without CUDA, and without a profiler,
// nothing happens.
#ifdef SORTIE_NVTX
void push_profiler_range(const char* name) noexcept { nvtxRangePushA(name); }
void pop_profiler_range() noexcept { nvtxRangePop(); }
void name_profiler_thread(const std::string& name) noexcept {
  nvtxNameOsThreadA(static_cast<std::uint32_t>(::syscall(SYS_gettid)), name.c_str());
}
#else
void push_profiler_range(const char*) noexcept {}
void pop_profiler_range() noexcept {}
void name_profiler_thread(const std::string&) noexcept {}
#endif

using Clock = std::chrono::steady_clock;

constexpr char kFirstPhase[] = "starting";

// The innermost open span of the calling thread. Spans end in the reverse order of their beginning, so each knows its
// outer one.
thread_local Observer::Span* innermost_span = nullptr;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

// What there is once for the whole job.
struct Observer::Whole {
  std::optional<TraceWriter> trace;
  std::optional<ProcessSampler> sampler;  // with a timeline only
  std::mutex message_mutex;
  std::mutex sorts_mutex;  // guards `sorts`
  std::vector<std::shared_ptr<State>> sorts;
};

struct Observer::State {
  // For the whole job.
  State() : whole_state(*this), whole(own_whole.emplace()) {}
  // For one sort of a job.
  State(State& of_outer, const std::string& name_in_outer)
      : whole_state(of_outer.whole_state),
        whole(of_outer.whole),
        name(of_outer.name.empty() ? name_in_outer : of_outer.name + ", " + name_in_outer) {}

  bool is_whole() const { return &whole_state == this; }

  std::string titled(std::string_view title) const {
    return name.empty() ? std::string(title) : name + ": " + std::string(title);
  }

  /// Returns false if the last phase has ended before.
  bool end_phase(Clock::time_point now) {
    return usage.end_phase(now, [&](std::string_view phase, Clock::time_point phase_begin, std::uint64_t total_bytes) {
      if (whole.trace) whole.trace->add_phase(phase_track, phase, phase_begin, now, total_bytes);
    });
  }

  void add_scratch(std::uint64_t change) noexcept {
    const std::uint64_t now = scratch_bytes.fetch_add(change) + change;
    std::uint64_t peak = scratch_peak_bytes.load();
    while (now > peak && !scratch_peak_bytes.compare_exchange_weak(peak, now)) {
    }
  }

  std::optional<Whole> own_whole;
  State& whole_state;
  Whole& whole;
  const std::string name;  // of the sort; empty for the whole
  const std::string phase_track = titled("phases");
  const Clock::time_point begin = Clock::now();
  Assumptions assumptions;
  PhaseUsage usage{kFirstPhase, begin};
  std::optional<ProgressLine> progress;
  std::atomic<bool> reads_from_sort = false;
  std::atomic<std::uint64_t> reported_scratch_bytes = 0;
  std::atomic<std::uint64_t> scratch_bytes = 0;  // of the whole: those of its sorts, too
  std::atomic<std::uint64_t> scratch_peak_bytes = 0;
};

Observer::Observer(ProgressMode progress, std::unique_ptr<Output> trace, std::function<void(const Progress&)> watch)
    : state_(std::make_shared<State>()) {
  std::FILE* const stream = wants_progress(progress, stderr) ? stderr : nullptr;
  if (stream != nullptr || watch) state_->progress.emplace(stream, std::move(watch));
  if (trace) state_->whole.trace.emplace(std::move(trace), state_->begin);
}

Observer::Observer(Observer& whole, const std::string& name, std::function<void(const Progress&)> watch)
    : state_(std::make_shared<State>(*whole.state_, name)) {
  if (watch) state_->progress.emplace(nullptr, std::move(watch));
  state_->assumptions.settle_as(whole.assumptions());
  const std::lock_guard lock(state_->whole.sorts_mutex);
  state_->whole.sorts.push_back(state_);
}

Observer::~Observer() {
  if (state_->progress) state_->progress->clear();
  state_->end_phase(Clock::now());
}

void Observer::keep_timeline() {
  state_->usage.keep_bins();
  state_->whole.sampler.emplace(state_->begin);
}

void Observer::expect_records_of_sort() { state_->reads_from_sort = true; }

void Observer::name_thread(std::string_view name) {
  const std::string title = state_->titled(name);
  if (state_->whole.trace) state_->whole.trace->name_thread(title);
  name_profiler_thread(title);
}

void Observer::begin_phase(std::string_view name, std::uint64_t total_bytes) {
  const Clock::time_point now = Clock::now();
  state_->end_phase(now);
  state_->usage.begin_phase(name, now, total_bytes);
  if (state_->whole.sampler) state_->whole.sampler->sample(now);
  if (state_->progress) state_->progress->begin_phase(name, total_bytes);
}

void Observer::advance(std::uint64_t bytes) {
  if (state_->progress) state_->progress->advance(bytes);
}

void Observer::set_scratch_bytes(std::uint64_t bytes) noexcept {
  const std::uint64_t change = bytes - state_->reported_scratch_bytes.exchange(bytes);
  state_->add_scratch(change);
  State& whole = state_->whole_state;
  if (!state_->is_whole()) whole.add_scratch(change);
  if (whole.whole.sampler) whole.whole.sampler->set_scratch_bytes(whole.scratch_bytes);
}

Assumptions& Observer::assumptions() const { return state_->assumptions; }

void Observer::make_way_for(FunctionRef<void()> write) {
  const std::lock_guard lock(state_->whole.message_mutex);
  if (std::optional<ProgressLine>& progress = state_->whole_state.progress) {
    progress->make_way_for(write);
  } else {
    write();
  }
}

void Observer::add_device_span(const DeviceSpan& span) noexcept {
  const auto pass_to = [&span](State& state) {
    state.usage.add_to_stage(state.usage.stage_number(span.stage), span.bytes, seconds_between(span.begin, span.end));
    state.usage.add(resource_of(span.unit), span.begin, span.end, span.bytes);
  };
  try {
    pass_to(*state_);
    if (!state_->is_whole()) pass_to(state_->whole_state);
  } catch (const std::bad_alloc&) {
    return;  // a sort is worth more than its statistics
  }
  if (state_->whole.trace) state_->whole.trace->add_device_span(span);
}

std::vector<StageReport> Observer::stages() const { return state_->usage.stages(); }

void Observer::describe(WorkReport& report) const {
  const Clock::time_point end = state_->usage.end_by(Clock::now());
  report.elapsed_seconds = seconds_between(state_->begin, end);
  report.phases = state_->usage.phases(end);
  report.resources = state_->usage.resources(end);
  report.stages = stages();
  report.scratch_peak_bytes = state_->scratch_peak_bytes;
  report.sorts.clear();
  if (!state_->is_whole()) return;
  const std::lock_guard lock(state_->whole.sorts_mutex);
  for (const auto& sort : state_->whole.sorts) {
    report.sorts.push_back({sort->name, seconds_between(state_->begin, sort->begin), sort->usage.phases(end)});
  }
}

Timeline Observer::timeline() const {
  const State& whole = state_->whole_state;
  const BusyBins bins = whole.usage.bins(Clock::now());
  return {.bin_seconds = bins.bin_seconds(),
          .busy_seconds = bins.busy_seconds(),
          .samples = whole.whole.sampler->samples(),
          .machine_share = whole.whole.sampler->machine_share()};
}

void Observer::end_watch() {
  if (state_->progress) state_->progress->end_watch();
}

void Observer::finish() {
  if (state_->progress) state_->progress->finish();
  const Clock::time_point now = Clock::now();
  if (state_->end_phase(now) && state_->whole.sampler) state_->whole.sampler->sample(now);
  if (state_->is_whole() && state_->whole.trace) state_->whole.trace->close();
}

Observer::Span::Span(Observer& observer, const char* stage, std::uint64_t bytes)
    : observer_(observer),
      stage_(stage),
      stage_index_(observer.state_->usage.stage_number(stage)),
      index_in_whole_(observer.state_->is_whole() ? stage_index_
                                                  : observer.state_->whole_state.usage.stage_number(stage)),
      resource_(resource_of(stage)),
      bytes_(bytes),
      hands_over_(observer.state_->reads_from_sort && resource_ == Resource::kReading),
      outer_(innermost_span) {
  Whole& whole = observer_.state_->whole;
  if (whole.trace) whole.trace->enter_thread();
  push_profiler_range(stage);
  begin_ = counted_until_ = Clock::now();
  if (outer_ != nullptr) {
    outer_->count(begin_, 0);
    if (sortie::hands_over(stage)) outer_->hands_over_ = true;
  }
  innermost_span = this;
}

Observer::Span::~Span() {
  const Clock::time_point end = Clock::now();
  innermost_span = outer_;
  if (outer_ != nullptr) outer_->counted_until_ = end;
  pop_profiler_range();
  count(end, hands_over_ ? 0 : bytes_);
  Whole& whole = observer_.state_->whole;
  if (whole.trace) whole.trace->add_span(stage_, begin_, end, bytes_);
  if (whole.sampler) whole.sampler->sample_if_due(end);
}

void Observer::Span::count(TimePoint now, std::uint64_t bytes) noexcept {
  const auto pass_to = [&](State& state, std::size_t stage_index) {
    state.usage.add_to_stage(stage_index, bytes, seconds_between(counted_until_, now));
    if (resource_) state.usage.add(*resource_, counted_until_, now, bytes);
  };
  State& state = *observer_.state_;
  pass_to(state, stage_index_);
  if (!state.is_whole()) pass_to(state.whole_state, index_in_whole_);
  counted_until_ = now;
}

}  // namespace sortie
