// How long something was busy, when several threads or streams may keep it busy at once: the length of the
// union of their intervals. The statistics keep one for every resource and phase.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace sortie {

/// Without memory for more intervals it keeps fewer. Not thread-safe.
class BusyTime {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  BusyTime() { intervals_.reserve(kFewestIntervals); }

  /// Intervals may come in any order. When as many are kept as there may be, the older half is settled: of an interval
  /// that comes later, only the part after the settled ones counts. An empty or inverted one counts nothing.
  void add(TimePoint begin, TimePoint end) noexcept;

  double seconds() const;

  static constexpr std::size_t kMostIntervals = 4096;

 private:
  static constexpr std::size_t kFewestIntervals = 16;

  struct Interval {
    TimePoint begin;
    TimePoint end;
  };

  bool grow() noexcept;
  void settle_oldest() noexcept;

  std::vector<Interval> intervals_;                 // ascending, none touches the next; with room for one more
  std::chrono::steady_clock::duration settled_{0};  // length of intervals no longer kept
  TimePoint settled_until_ = TimePoint::min();      // their end: nothing before it counts again
};

}  // namespace sortie
