#include "observe/phase_usage.hpp"

#include <algorithm>
#include <string>

#include "base/system_file.hpp"

namespace sortie {
namespace {

constexpr std::size_t index_of(Resource resource) { return static_cast<std::size_t>(resource); }

}  // namespace

PhaseUsage::PhaseUsage(std::string_view first_phase, TimePoint begin) { begin_phase(first_phase, begin); }

void PhaseUsage::begin_phase(std::string_view name, TimePoint begin, std::uint64_t total_bytes) {
  Phase phase;
  phase.name = name;
  phase.begin = begin;
  phase.total_bytes = total_bytes;
  const std::lock_guard lock(mutex_);
  if (!phases_.empty()) phases_.back().end = std::min(phases_.back().end, begin);
  phases_.push_back(std::move(phase));
}

bool PhaseUsage::end_phase(TimePoint end, PhaseListener tell) {
  const std::lock_guard lock(mutex_);
  Phase& last = phases_.back();
  if (last.end != TimePoint::max()) return false;
  last.end = end;
  tell(last.name, last.begin, last.total_bytes);
  return true;
}

PhaseUsage::TimePoint PhaseUsage::end_by(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  return std::min(phases_.back().end, now);
}

void PhaseUsage::add(Resource resource, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  bool counted = false;
  for (auto phase = phases_.rbegin(); phase != phases_.rend() && phase->end > begin; ++phase) {
    if (end <= phase->begin) continue;
    Use& use = phase->uses[index_of(resource)];
    if (bins_ && use.busy.is_nearly_full()) {
      use.busy.settle_oldest([&](TimePoint from, TimePoint to) { bins_->add(resource, from, to); });
    }
    use.busy.add(std::max(begin, phase->begin), std::min(end, phase->end));
    if (!counted) use.bytes += bytes;
    counted = true;
  }
}

std::size_t PhaseUsage::stage_number(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto number = std::ranges::find(stages_, name, &StageReport::name) - stages_.begin();
  if (static_cast<std::size_t>(number) == stages_.size()) stages_.push_back(StageReport{std::string(name), 0, 0});
  return static_cast<std::size_t>(number);
}

void PhaseUsage::add_to_stage(std::size_t number, std::uint64_t bytes, double seconds) noexcept {
  const std::lock_guard lock(mutex_);
  stages_[number].bytes += bytes;
  stages_[number].busy_seconds += seconds;
}

std::vector<StageReport> PhaseUsage::stages() const {
  const std::lock_guard lock(mutex_);
  return stages_;
}

std::vector<PhaseReport> PhaseUsage::phases(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  std::vector<PhaseReport> reports;
  for (const Phase& phase : phases_) {
    UseTotals uses;
    add_uses(uses, phase);
    const double seconds = length(phase, now);
    reports.push_back({phase.name, seconds, ranked(uses, seconds)});
  }
  return reports;
}

std::vector<ResourceReport> PhaseUsage::resources(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  UseTotals uses;
  double wall_seconds = 0;
  for (const Phase& phase : phases_) {
    add_uses(uses, phase);
    wall_seconds += length(phase, now);
  }
  return ranked(uses, wall_seconds);
}

double PhaseUsage::length(const Phase& phase, TimePoint now) {
  return std::chrono::duration<double>(std::min(phase.end, now) - phase.begin).count();
}

BusyBins PhaseUsage::bins(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  BusyBins bins = *bins_;
  for (const Phase& phase : phases_) {
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      const auto resource = static_cast<Resource>(i);
      if (counts(phase, i)) {
        phase.uses[i].busy.visit_kept([&](TimePoint begin, TimePoint end) { bins.add(resource, begin, end); });
      } else {
        bins.forget(resource, phase.begin, std::min(phase.end, now));
      }
    }
  }
  return bins;
}

// If a device sorts and merges, host threads that seem to do so wait for it: they are no resources.
bool PhaseUsage::counts(const Phase& phase, std::size_t resource) {
  const bool waits_for_device = resource == index_of(Resource::kSorting) || resource == index_of(Resource::kMerging);
  return !waits_for_device || phase.uses[index_of(Resource::kKernels)].busy.seconds() <= 0;
}

void PhaseUsage::add_uses(UseTotals& totals, const Phase& phase) {
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    if (!counts(phase, i)) continue;
    totals[i].busy_seconds += phase.uses[i].busy.seconds();
    totals[i].bytes += phase.uses[i].bytes;
  }
}

std::vector<ResourceReport> PhaseUsage::ranked(const UseTotals& totals, double wall_seconds) {
  std::vector<ResourceReport> busy;
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    const auto [busy_seconds, bytes] = totals[i];
    if (busy_seconds <= 0) continue;
    const double share = wall_seconds > 0 ? std::min(1.0, busy_seconds / wall_seconds) : 0;
    busy.push_back({std::string(name_of(static_cast<Resource>(i))), bytes, busy_seconds, share});
  }
  std::stable_sort(busy.begin(), busy.end(),
                   [](const ResourceReport& a, const ResourceReport& b) { return a.busy_seconds > b.busy_seconds; });
  return busy;
}

// Not getrusage(): its maximum outlives exec(), so that a small program started by a large one looks large.
std::uint64_t peak_memory_bytes() { return read_named_number("/proc/self/status", "VmHWM:").value_or(0) << 10; }

}  // namespace sortie
