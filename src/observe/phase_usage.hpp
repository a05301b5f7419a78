// How long each resource was busy in every phase of a sort, and what each stage has moved. The Observer feeds it from
// its spans and reads the bottleneck out of it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/report.hpp>

#include "base/function_ref.hpp"
#include "observe/busy_time.hpp"
#include "observe/timeline.hpp"

namespace sortie {

/// Thread-safe.
class PhaseUsage {
 public:
  using TimePoint = BusyTime::TimePoint;

  /// Begins the first phase.
  PhaseUsage(std::string_view first_phase, TimePoint begin);

  /// Keeps from now on when each resource is busy. Precondition: none has been busy.
  void keep_bins() { bins_.emplace(phases_.front().begin); }

  /// Ends the phase before, if it has not ended. `total_bytes`: that it will move, 0 if unknown.
  void begin_phase(std::string_view name, TimePoint begin, std::uint64_t total_bytes = 0);
  using PhaseListener = FunctionRef<void(std::string_view name, TimePoint begin, std::uint64_t total_bytes)>;
  /// Ends the last phase, and tells of it. Returns false if it has ended before. Work behind the end of the last phase
  /// counts in none.
  bool end_phase(TimePoint end, PhaseListener tell);
  /// The end of the last phase; `now` if it is still open.
  TimePoint end_by(TimePoint now) const;
  /// Counts the time in every phase that the interval touches, whenever it comes, and the bytes in the phase
  /// in which it ends.
  void add(Resource resource, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept;

  /// The number of the stage of that name, a new one on first use.
  std::size_t stage_number(std::string_view name);
  /// Adds what a thread or a stream did.
  void add_to_stage(std::size_t number, std::uint64_t bytes, double seconds) noexcept;
  /// The stages in order of first use, summed over all threads.
  std::vector<StageReport> stages() const;

  /// The phases in the order of time, each with its resources; `now` ends the phase that is still open.
  std::vector<PhaseReport> phases(TimePoint now) const;
  /// The resources over all phases, the busiest first, without those that were never busy.
  std::vector<ResourceReport> resources(TimePoint now) const;
  /// When each resource was busy: the seconds that the reports count. Precondition: keep_bins().
  BusyBins bins(TimePoint now) const;

 private:
  struct Use {
    BusyTime busy;
    std::uint64_t bytes = 0;
  };
  struct Phase {
    std::string name;
    TimePoint begin;
    TimePoint end = TimePoint::max();
    std::uint64_t total_bytes = 0;
    std::array<Use, kResourceCount> uses;
  };
  /// What a resource has done in several phases.
  struct UseTotal {
    double busy_seconds = 0;
    std::uint64_t bytes = 0;
  };
  using UseTotals = std::array<UseTotal, kResourceCount>;

  static bool counts(const Phase& phase, std::size_t resource);
  static double length(const Phase& phase, TimePoint now);
  static void add_uses(UseTotals& totals, const Phase& phase);
  static std::vector<ResourceReport> ranked(const UseTotals& totals, double wall_seconds);

  mutable std::mutex mutex_;
  std::vector<Phase> phases_;
  std::vector<StageReport> stages_;
  std::optional<BusyBins> bins_;  // intervals that are settled; nothing if no bins are wanted
};

/// The most bytes that were resident since the process began its program, mapped files included; 0 if the system does
/// not say.
std::uint64_t peak_memory_bytes();

}  // namespace sortie
