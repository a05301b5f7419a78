#include "observe/observer.hpp"

#include <cstdio>
#include <mutex>
#include <optional>

#include "observe/progress_line.hpp"
#include "observe/stage_totals.hpp"
#include "observe/trace_writer.hpp"

namespace sortie {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct Observer::State {
  struct Phase {
    std::string name;
    std::uint64_t total_bytes = 0;
    Clock::time_point begin;
  };

  void end_phase() noexcept {
    const std::lock_guard lock(phase_mutex);
    if (trace && phase) trace->add_phase(phase->name, phase->begin, Clock::now(), phase->total_bytes);
    phase.reset();
  }

  StageTotals totals;
  std::optional<ProgressLine> progress;
  std::optional<TraceWriter> trace;
  std::mutex phase_mutex;
  std::optional<Phase> phase;
};

Observer::Observer(ProgressMode progress, const std::string& trace_path) : state_(std::make_unique<State>()) {
  if (wants_progress(progress, stderr)) state_->progress.emplace(stderr);
  if (!trace_path.empty()) state_->trace.emplace(trace_path);
}

Observer::~Observer() {
  if (state_->progress) state_->progress->clear();
  state_->end_phase();
}

void Observer::begin_phase(std::string_view name, std::uint64_t total_bytes) {
  state_->end_phase();
  if (state_->progress) state_->progress->begin_phase(name, total_bytes);
  const std::lock_guard lock(state_->phase_mutex);
  state_->phase = State::Phase{std::string(name), total_bytes, Clock::now()};
}

void Observer::advance(std::uint64_t bytes) {
  if (state_->progress) state_->progress->advance(bytes);
}

std::vector<StageReport> Observer::stages() const { return state_->totals.stages(); }

void Observer::finish() {
  if (state_->progress) state_->progress->clear();
  state_->end_phase();
  if (state_->trace) state_->trace->close();
}

Observer::Span::Span(Observer& observer, const char* stage, std::uint64_t bytes)
    : observer_(observer), stage_(stage), stage_index_(observer.state_->totals.index_of(stage)), bytes_(bytes) {
  if (observer_.state_->trace) observer_.state_->trace->enter_thread();
  begin_ = Clock::now();
}

Observer::Span::~Span() {
  const Clock::time_point end = Clock::now();
  const double seconds = std::chrono::duration<double>(end - begin_).count();
  observer_.state_->totals.add(stage_index_, bytes_, seconds);
  if (observer_.state_->trace) observer_.state_->trace->add_span(stage_, begin_, end, bytes_);
}

}  // namespace sortie
